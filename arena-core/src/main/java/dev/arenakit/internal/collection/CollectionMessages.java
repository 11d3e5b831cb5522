package dev.arenakit.internal.collection;

import java.util.function.LongSupplier;

/// The check of expected sizes, the text of `toString`, and the exception after an interrupted change.
public final class CollectionMessages {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    private static final long STEP = 1024;
    private static final String INTERRUPTED = "An Error has interrupted a change, so that contents may be wrong: structure=";

    private CollectionMessages() {}

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
            return name + (String.valueOf(e.getMessage()).startsWith(INTERRUPTED)
                    ? ": interrupted by an Error"
                    : ": closed");
        } catch (WrongThreadException e) {
            return name + ": confined to another thread";
        }
    }

    /// Returns the exception of a structure in which an Error has interrupted a change.
    public static IllegalStateException interrupted(String structure) {
        return new IllegalStateException(INTERRUPTED + structure + "; close the structure, and create a new one");
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
