package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.Leak;
import java.util.LinkedHashMap;
import java.util.Map;

/// Counts leaks by the place where their arenas were opened, so that a line that leaks in a loop does not fill the log.
///
/// A place is known by a hash of its stack: the table keeps no text of a class that could be unloaded. Thread-safe.
final class LeakPlaces {
    /// The table takes a hundred kilobytes at most. If there are more places, the log may repeat some of them.
    private static final int MOST_PLACES = 1000;
    /// The distances at which the log repeats a place grow by this factor.
    static final long FACTOR = 10;
    /// The parameters of the hash FNV-1a of 64 bits. Two different stacks never have the same hash in practice.
    private static final long HASH_START = 0xCBF29CE484222325L;
    private static final long HASH_FACTOR = 0x100000001B3L;

    /// The number of leaks by hash. The place that has not leaked for the longest time comes first.
    private final Map<Long, Long> counts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
            return size() > MOST_PLACES;
        }
    };

    /// Counts a leak.
    ///
    /// @return how many leaks of this place are known, this one included
    long count(Leak leak) {
        Long place = placeOf(leak);
        synchronized (counts) {
            return counts.merge(place, 1L, Long::sum);
        }
    }

    /// Whether the log has the leak with this number: the first one, the tenth, the hundredth, and so on.
    static boolean isLogged(long count) {
        long next = 1;
        while (next < count) {
            next *= FACTOR;
        }
        return next == count;
    }

    private static long placeOf(Leak leak) {
        long hash = hash(HASH_START, leak.reason().name());
        for (StackTraceElement frame : leak.stack()) {
            hash = hash(hash, frame.toString());
        }
        return hash;
    }

    private static long hash(long start, String text) {
        long hash = start;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * HASH_FACTOR;
        }
        return hash;
    }
}
