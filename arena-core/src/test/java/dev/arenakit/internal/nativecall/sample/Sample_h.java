package dev.arenakit.internal.nativecall.sample;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;

import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A class as jextract would generate it from a header. From a large header it generates several classes, of which the
/// last one inherits from the others.
public final class Sample_h extends Sample_h_1 {
    private Sample_h() {}

    /// `#define LIMIT 255`
    public static int LIMIT() {
        return 255;
    }

    /// `void *search(const void *key, size_t count, int flags)`
    @SuppressWarnings("restricted") // As jextract generates it.
    public static FunctionDescriptor search$descriptor() {
        return FunctionDescriptor.of(ADDRESS, ADDRESS.withTargetLayout(sequenceLayout(8, JAVA_BYTE)), JAVA_LONG,
                JAVA_INT);
    }

    /// `int print(const char *format, ...)`
    public static final class print {
        private final FunctionDescriptor descriptor;

        private print(FunctionDescriptor descriptor) {
            this.descriptor = descriptor;
        }

        /// The function with more arguments.
        public static print makeInvoker(MemoryLayout... layouts) {
            return new print(FunctionDescriptor.of(JAVA_INT, ADDRESS).appendArgumentLayouts(layouts));
        }

        /// The type.
        public FunctionDescriptor descriptor() {
            return descriptor;
        }
    }
}
