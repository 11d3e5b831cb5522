package dev.arenakit.internal.collection;

import java.util.function.LongSupplier;

/// The check of expected sizes, and the text of `toString`, for all collections of numbers and bits.
public final class Descriptions {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    private static final long STEP = 1024;

    private Descriptions() {}

    public static void checkExpectedSize(long expectedSize) {
        if (expectedSize < 0) {
            throw new IllegalArgumentException("Negative size: expectedSize=" + expectedSize);
        }
    }

    /// Returns the text of a structure, such as `LongLongMap: 3 entries, 1 KiB`. The structure may be closed.
    public static String of(Object structure, LongSupplier size, String things, LongSupplier byteSize) {
        String name = structure.getClass().getSimpleName();
        try {
            return name + ": " + size.getAsLong() + " " + things + ", " + bytes(byteSize.getAsLong());
        } catch (IllegalStateException e) {
            return name + ": closed";
        } catch (WrongThreadException e) {
            return name + ": confined to another thread";
        }
    }

    private static String bytes(long byteSize) {
        long value = byteSize;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        return value + " " + UNITS[unit];
    }
}
