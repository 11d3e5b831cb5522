package dev.arenakit.internal.nativecall.sample;

import java.lang.foreign.GroupLayout;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

/// A class as jextract would generate it from `struct Entry { long key; int length; short kind; }`.
public final class Entry {
    private Entry() {}

    /// The layout of the struct.
    public static GroupLayout layout() {
        return structLayout(JAVA_LONG.withName("key"), JAVA_INT.withName("length"), JAVA_SHORT.withName("kind"),
                paddingLayout(2)).withName("Entry");
    }
}
