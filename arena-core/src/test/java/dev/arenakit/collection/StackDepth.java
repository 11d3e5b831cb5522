package dev.arenakit.collection;

/// The depths of the stack at which it may overflow, in a JVM with a small stack and without compilers.
final class StackDepth {
    private StackDepth() {}

    /// Runs something at a depth, and returns whether the stack has overflowed.
    static boolean overflows(int depth, Runnable work) {
        try {
            descend(depth, work);
            return false;
        } catch (StackOverflowError e) {
            return true;
        }
    }

    private static void descend(int depth, Runnable work) {
        if (depth > 0) {
            descend(depth - 1, work);
        } else {
            work.run();
        }
    }

    /// The largest depth at which next to nothing can be run.
    static int deepest() {
        int low = 0;
        int high = 1_000_000;
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (overflows(middle, () -> {})) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }
}
