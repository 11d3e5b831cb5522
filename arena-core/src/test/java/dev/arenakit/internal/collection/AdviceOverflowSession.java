package dev.arenakit.internal.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.StackDepth;

/// Resizes an array to a size with huge pages at each depth of the stack at which it may overflow, in a JVM with a
/// small stack and without compilers. Afterwards, the array has the memory of its new block, and not the freed memory.
final class AdviceOverflowSession {
    private static final long BYTE_SIZE = 4 << 20;
    private static final long ELEMENTS = BYTE_SIZE / Long.BYTES;

    private AdviceOverflowSession() {}

    public static void main(String[] args) {
        // Everything but the advice is initialized before the first overflow.
        run(0, ELEMENTS / 4);
        StackDepth.atEach(1, depth -> run(depth, ELEMENTS));
        // These calls would fail if the initializer of a class had failed.
        NativeAllocator pages = NativeAllocator.pages();
        pages.free(pages.allocate(BYTE_SIZE, 8), BYTE_SIZE, 8);
        System.out.println("nothing lost");
    }

    /// Returns whether the stack has overflowed.
    private static boolean run(int depth, long elements) {
        try (MallocArena arena = MallocArena.ofConfined()) {
            ElementArray array = new ElementArray(TableMemory.of(arena, new HugePages(MallocArena.class)), Long.BYTES,
                    16);
            boolean hasOverflowed = StackDepth.overflows(depth, () -> array.ensureCapacity(elements));
            // The arena refuses a block that was freed.
            arena.free(array.segment());
            return hasOverflowed;
        }
    }
}
