package dev.arenakit.collection;

import dev.arenakit.StackDepth;
import dev.arenakit.collection.ByteStructures.Structure;

/// Adds entries to each structure of bytes and structs, and removes entries, at each depth of the stack at which it may
/// overflow. Afterwards, the entry is either present or absent, and all other entries are unchanged.
final class ByteStructureOverflowSession {
    private static final int STEP = 4;
    /// Enough for several growths, or for several compactions.
    private static final int NUMBERS = 70;
    /// The number of entries if entries can be removed.
    private static final int LIVE = 4;

    private ByteStructureOverflowSession() {}

    public static void main(String[] args) {
        for (ByteStructures kind : ByteStructures.values()) {
            // Everything is initialized before the first overflow: a class whose initializer fails stays unusable.
            run(kind, 0);
        }
        int deepest = StackDepth.deepest();
        for (ByteStructures kind : ByteStructures.values()) {
            int overflows = 0;
            int calm = 0;
            for (int depth = deepest; calm < 10; depth -= STEP) {
                if (run(kind, depth)) {
                    overflows++;
                    calm = 0;
                } else {
                    calm++;
                }
            }
            if (overflows < 5) {
                throw new AssertionError("Not the right depths: " + kind + ", overflows=" + overflows);
            }
        }
        System.out.println("nothing lost");
    }

    /// Returns whether the stack has overflowed.
    private static boolean run(ByteStructures kind, int depth) {
        TestAllocator blocks = new TestAllocator();
        TestAllocator arenas = new TestAllocator();
        boolean overflowed;
        try (Structure structure = kind.create(blocks); Structure owning = kind.owning(arenas)) {
            overflowed = use(kind, structure, depth);
            overflowed |= use(kind, owning, depth);
        }
        if (arenas.held() != 0) {
            throw new AssertionError("Not released: " + kind + ", depth=" + depth + ", held=" + arenas.held());
        }
        return overflowed;
    }

    private static boolean use(ByteStructures kind, Structure structure, int depth) {
        boolean overflowed = false;
        for (int i = 0; i < NUMBERS; i++) {
            int added = i;
            overflowed |= StackDepth.overflows(depth, () -> structure.add(added));
            if (!structure.has(added)) {
                structure.add(added);
            }
            int removed = kind.canRemove ? i - LIVE : -1;
            if (removed >= 0) {
                overflowed |= StackDepth.overflows(depth, () -> structure.remove(removed));
                if (structure.has(removed)) {
                    structure.remove(removed);
                }
            }
            check(kind, structure, Math.max(0, removed + 1), i + 1, depth);
        }
        return overflowed;
    }

    private static void check(ByteStructures kind, Structure structure, int begin, int end, int depth) {
        boolean right = structure.size() == end - begin && !structure.has(end)
                && (begin == 0 || !structure.has(begin - 1));
        for (int i = begin; i < end; i++) {
            right &= structure.has(i);
        }
        if (!right) {
            throw new AssertionError("Wrong entries: " + kind + ", depth=" + depth + ", begin=" + begin + ", end=" + end
                    + ", size=" + structure.size());
        }
    }
}
