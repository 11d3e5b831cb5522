package dev.arenakit.collection;

import dev.arenakit.StackDepth;

/// Adds numbers to each structure, at each depth of the stack at which it may overflow, in a JVM with a small stack and
/// without compilers. Afterwards, the structures contain all added numbers. They hold no memory after they are closed.
final class StructureOverflowSession {
    /// A frame of the recursion takes less stack than most calls, so that not every depth is needed.
    private static final int STEP = 2;
    /// Enough for several growths.
    private static final int NUMBERS = 60;

    private StructureOverflowSession() {}

    public static void main(String[] args) {
        for (Structures structures : Structures.values()) {
            // Everything is initialized before the first overflow: a class whose initializer fails stays unusable.
            run(structures, 0);
        }
        int deepest = StackDepth.deepest();
        for (Structures structures : Structures.values()) {
            int overflows = 0;
            int calm = 0;
            for (int depth = deepest; calm < 10; depth -= STEP) {
                if (run(structures, depth)) {
                    overflows++;
                    calm = 0;
                } else {
                    calm++;
                }
            }
            if (overflows < 5) {
                throw new AssertionError("Not the right depths: " + structures + ", overflows=" + overflows);
            }
        }
        System.out.println("nothing lost");
    }

    /// Returns whether the stack has overflowed.
    private static boolean run(Structures structures, int depth) {
        boolean hasOverflowed = false;
        TestAllocator blocks = new TestAllocator();
        TestAllocator arenas = new TestAllocator();
        try (Structures.Added structure = structures.create(blocks, 0);
                Structures.Added owning = structures.owning(arenas, 0)) {
            for (int i = 0; i < NUMBERS; i++) {
                hasOverflowed |= add(structure, i, depth);
                hasOverflowed |= add(owning, i, depth);
            }
            structure.assertContains(NUMBERS);
            owning.assertContains(NUMBERS);
        }
        // A block may remain until the end of its allocator's lifetime, because it is not freed twice.
        if (arenas.held() != 0) {
            throw new AssertionError("Not released: " + structures + ", depth=" + depth + ", held=" + arenas.held());
        }
        return hasOverflowed;
    }

    private static boolean add(Structures.Added structure, int number, int depth) {
        boolean overflowed = StackDepth.overflows(depth, () -> structure.add(number));
        if (overflowed) {
            structure.addMissing(number);
        }
        return overflowed;
    }
}
