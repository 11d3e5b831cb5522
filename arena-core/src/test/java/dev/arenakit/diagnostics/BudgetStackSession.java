package dev.arenakit.diagnostics;

import dev.arenakit.StackDepth;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;

/// Allocates from counted arenas, and closes them, near the end of the stack. A budget may then count bytes that nobody
/// has, and never fewer than the arenas have.
final class BudgetStackSession {
    public static void main(String[] args) {
        allocate(Arena.ofConfined());
        StackDepth.atEach(2, depth -> allocateAndClose(Arena.ofConfined(), depth));
        StackDepth.atEach(2, depth -> allocateAndClose(Arena.ofShared(), depth));
        StackDepth.atEach(1, BudgetStackSession::closeChild);
        System.out.println("never less");
    }

    private static void allocate(Arena arena) {
        try (Arena counted = MemoryBudget.root("warm", 1000).wrap(arena)) {
            counted.allocate(8, 8);
        }
    }

    private static boolean allocateAndClose(Arena arena, int depth) {
        MemoryBudget root = MemoryBudget.root("root", 1 << 20);
        Arena counted = root.child("child", 1 << 20).wrap(arena);
        AtomicInteger allocated = new AtomicInteger();
        boolean overflowed = StackDepth.overflows(depth, () -> {
            counted.allocate(8, 8);
            allocated.addAndGet(8);
        });
        counted.allocate(8, 8);
        allocated.addAndGet(8);
        check(root, allocated.get());
        overflowed |= StackDepth.overflows(depth, counted::close);
        check(root, arena.scope().isAlive() ? allocated.get() : 0);
        return overflowed;
    }

    /// Closes a budget twice if the first call was interrupted. Its parent can then be closed.
    private static boolean closeChild(int depth) {
        MemoryBudget root = MemoryBudget.root("root", 1 << 20);
        MemoryBudget child = root.child("child", 1 << 20);
        boolean overflowed = StackDepth.overflows(depth, child::close);
        child.close();
        root.close();
        return overflowed;
    }

    private static void check(MemoryBudget root, long least) {
        if (root.stats().reservedByteSize() < least) {
            throw new AssertionError("Counted too little: " + root + ", allocated=" + least);
        }
    }
}
