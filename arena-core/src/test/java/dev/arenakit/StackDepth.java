package dev.arenakit;

import java.util.function.IntPredicate;

/// The depths of the stack at which it may overflow, in a JVM with a small stack and without compilers.
public final class StackDepth {
    /// The result of the last search. The next one begins there, because each overflow unwinds thousands of frames.
    private static int last;

    private StackDepth() {}

    /// Runs something at a depth, and returns whether the stack has overflowed.
    public static boolean overflows(int depth, Runnable work) {
        try {
            descend(depth, work);
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    static void descend(int depth, Runnable work) {
        if (depth > 0) {
            descend(depth - 1, work);
        } else {
            work.run();
        }
    }

    /// Does something at depths from the deepest one up, until the stack has not overflowed several times in a row.
    ///
    /// @param step      the distance of two depths
    /// @param overflows does something at a depth, and returns whether the stack has overflowed
    public static void atEach(int step, IntPredicate overflows) {
        int seen = 0;
        int calm = 0;
        for (int depth = deepest(); calm < 10; depth -= step) {
            if (overflows.test(depth)) {
                seen++;
                calm = 0;
            } else {
                calm++;
            }
        }
        if (seen < 5) {
            throw new AssertionError("Not the right depths: overflows=" + seen);
        }
    }

    /// The largest depth at which next to nothing can be run.
    public static int deepest() {
        int low = 0;
        int high = 1_000_000;
        int middle = last;
        while (high - low > 1) {
            if (overflows(middle, () -> {})) {
                high = middle;
            } else {
                low = middle;
            }
            middle = low == last ? low + 1 : (low + high) / 2;
        }
        last = low;
        return low;
    }
}
