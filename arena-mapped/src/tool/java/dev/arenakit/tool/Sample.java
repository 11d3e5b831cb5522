package dev.arenakit.tool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What an image was at some time.
///
/// @param nanos    when, on the clock of [System#nanoTime]
/// @param state    `open`, `closed` or `died`
/// @param pid      of the last owner, 0 where it is not known
/// @param opened   when that opened the image
/// @param count    how many allocations are live
/// @param freed    how many have been freed
/// @param byteSize of the live ones
/// @param stored   what all of them take on disk, less than 0 where the system does not tell
/// @param top      those that grow most, or are largest on disk where none grows, the first one first
record Sample(long nanos, String state, long pid, Instant opened, long count, long freed, long byteSize, long stored,
        List<Top> top) {
    /// An allocation.
    ///
    /// @param growth what more it takes on disk than the time before
    record Top(String label, String type, long byteSize, long stored, long growth) {
        static final Comparator<Top> ORDER = Comparator.comparingLong(Top::growth)
                .thenComparingLong(Top::stored)
                .reversed();
    }

    /// Whether it was taken at the time of another, so that there are no rates.
    boolean isOf(Sample other) {
        return nanos == other.nanos;
    }

    /// How many allocations have been made.
    long made() {
        return count + freed;
    }

    /// A change for each second since an earlier one.
    double rate(Sample earlier, long change) {
        return change * 1e9 / Math.max(1, nanos - earlier.nanos);
    }

    /// The first ones of allocations that come one by one.
    static final class Leaders {
        private final int most;
        private final List<Top> leaders = new ArrayList<>();

        Leaders(int most) {
            this.most = most;
        }

        /// Whether one belongs to the first ones.
        boolean accepts(long growth, long stored) {
            return most > 0 && stored > 0 && (leaders.size() < most
                    || Top.ORDER.compare(new Top("", "", 0, stored, growth), leaders.getLast()) < 0);
        }

        void add(Top top) {
            leaders.add(top);
            leaders.sort(Top.ORDER);
            if (leaders.size() > most) {
                leaders.removeLast();
            }
        }

        List<Top> all() {
            return List.copyOf(leaders);
        }
    }
}
