package dev.arenakit.spark.internal.vector;

import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// The short texts of a column that Spark has asked for last. Many rows have the same text, and Spark need not copy the
/// bytes of a text that has an array of its own.
final class ShortTexts {
    private static final int SLOT_BITS = 11;

    private final long[] views = new long[2 << SLOT_BITS];
    private final @Nullable UTF8String[] texts = new UTF8String[1 << SLOT_BITS];
    private int misses;

    /// Returns a text.
    ///
    /// @param values the array that contains the view
    /// @param view   the position of a view that contains the text
    UTF8String get(@Nullable Object values, long view, int byteSize) {
        long first = Platform.getLong(values, view);
        long second = Platform.getLong(values, view + Long.BYTES);
        int slot = (int) (((first * 31 + second) * 0x9E37_79B9_7F4A_7C15L) >>> (Long.SIZE - SLOT_BITS));
        UTF8String known = texts[slot];
        if (known != null && views[2 * slot] == first && views[2 * slot + 1] == second) {
            return known;
        }
        misses++;
        byte[] bytes = new byte[byteSize];
        Platform.copyMemory(values, view + Integer.BYTES, bytes, Platform.BYTE_ARRAY_OFFSET, byteSize);
        UTF8String text = UTF8String.fromBytes(bytes);
        views[2 * slot] = first;
        views[2 * slot + 1] = second;
        texts[slot] = text;
        return text;
    }

    /// Returns the number of texts that were not known since the last call.
    int takeMisses() {
        int taken = misses;
        misses = 0;
        return taken;
    }
}
