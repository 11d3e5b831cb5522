package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/// Allocates memory at all depths near the end of the stack, and prints the remains of each overflow.
final class StackOverflowChild {
    /// The stack of an allocation, in frames of [#descend] at most.
    private static final int DEPTHS = 400;
    private static final long STACK_BYTE_SIZE = 400_000;

    private final InfiniteArena arena;
    private final Runnable action;
    private int overflows;
    private int successes;

    private StackOverflowChild(InfiniteArena arena, String what) {
        this.arena = arena;
        action = switch (what) {
            case "plain" -> () -> arena.allocate(100);
            case "growable" -> () -> arena.growable(1 << 20);
            default -> throw new IllegalArgumentException(what);
        };
    }

    public static void main(String[] arguments) throws InterruptedException {
        Thread small = new Thread(null, () -> run(Path.of(arguments[1]), arguments[0]), "small stack", STACK_BYTE_SIZE);
        small.start();
        small.join();
    }

    private static void run(Path base, String what) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            StackOverflowChild child = new StackOverflowChild(arena, what);
            child.overflowEverywhere();
            child.print();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void overflowEverywhere() {
        // Everything that is used later is loaded now.
        action.run();
        successes++;
        int end = end();
        for (int depth = end; depth > end - DEPTHS; depth--) {
            try {
                descend(depth, action);
                successes++;
            } catch (StackOverflowError _) {
                overflows++;
            }
        }
    }

    /// The largest depth at which nothing overflows.
    private static int end() {
        int least = 0;
        int most = 1 << 20;
        while (least < most) {
            int middle = (least + most + 1) / 2;
            try {
                descend(middle, () -> {});
                least = middle;
            } catch (StackOverflowError _) {
                most = middle - 1;
            }
        }
        return least;
    }

    private static void descend(int depth, Runnable action) {
        if (depth > 0) {
            descend(depth - 1, action);
        } else {
            action.run();
        }
    }

    private void print() throws IOException {
        try (ArenaImage image = ArenaImage.open(arena.base())) {
            System.out.println("overflows=" + (overflows > 10) + " successes=" + (successes > 10) + " files="
                    + (TestFileSystem.dataFiles(Objects.requireNonNull(arena.base().getParent())).size() - successes)
                    + " allocations="
                    + (image.allocations().count() - successes) + " problems=" + image.problems().toList());
        }
    }
}
