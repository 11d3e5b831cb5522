package dev.arenakit.internal.nativecall.sample;

import java.lang.foreign.FunctionDescriptor;

import static java.lang.foreign.ValueLayout.ADDRESS;

/// The other part of the header.
public class Sample_h_1 {
    Sample_h_1() {}

    /// `#define WIDE (1L << 40)`
    public static long WIDE() {
        return 1L << 40;
    }

    /// `void release(void *block)`
    public static FunctionDescriptor release$descriptor() {
        return FunctionDescriptor.ofVoid(ADDRESS);
    }

    /// A function itself.
    public static void release() {}
}
