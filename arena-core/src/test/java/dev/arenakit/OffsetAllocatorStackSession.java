package dev.arenakit;

import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Uses allocators at each depth of the stack at which it may overflow, in a JVM with a small stack and without
/// compilers. After each overflow, a check with enough stack shows that no block is in use twice or lost.
final class OffsetAllocatorStackSession {
    private static final int STEP = 4;
    private static final long SMALL = 1_000;
    private static final long LARGE = 100_000;

    private OffsetAllocatorStackSession() {}

    /// Does something to an allocator whose blocks fill some slabs, and returns the block that is allocated then, or 0.
    private interface Work {
        long run(OffsetAllocator allocator, List<Long> blocks);
    }

    public static void main(String[] args) {
        Map<String, Work> works = new TreeMap<>();
        works.put("allocate", (allocator, _) -> allocator.allocateRaw(SMALL));
        works.put("allocate a span", (allocator, _) -> allocator.allocateRaw(10_000));
        works.put("allocate a large block", (allocator, _) -> allocator.allocateRaw(LARGE));
        works.put("free", (allocator, blocks) -> {
            allocator.freeRaw(blocks.removeLast());
            return 0;
        });
        works.put("free all", (allocator, blocks) -> {
            while (!blocks.isEmpty()) {
                allocator.freeRaw(blocks.getLast());
                blocks.removeLast();
            }
            return 0;
        });
        works.put("reallocate", (allocator, _) -> allocator.reallocateRaw(allocator.allocateRaw(SMALL), 3_000));
        for (boolean shared : new boolean[]{false, true}) {
            Map<String, Integer> expected = new TreeMap<>();
            works.forEach((name, work) -> expected.put(name, at(0, shared, work).blocks));
            works.forEach((name, work) -> StackDepth.atEach(STEP, depth -> {
                Result result = at(depth, shared, work);
                // One may have been allocated without a result, and a sixteenth of a slab wait for the next free.
                if (result.blocks < expected.getOrDefault(name, 0) - 1 - 64 / 16) {
                    throw new AssertionError("Lost blocks: " + name + ", blocks=" + result.blocks);
                }
                if (result.overflowed && name.equals("allocate")
                        && result.blocks != expected.getOrDefault(name, 0) + 1) {
                    throw new AssertionError("Lost the block: blocks=" + result.blocks);
                }
                return result.overflowed;
            }));
        }
        for (boolean shared : new boolean[]{false, true}) {
            open(0, shared);
            StackDepth.atEach(STEP, depth -> open(depth, shared));
            resize(0, shared);
            StackDepth.atEach(STEP, depth -> resize(depth, shared));
        }
        StackDepth.atEach(STEP, OffsetAllocatorStackSession::collect);
        System.out.println("nothing twice");
    }

    /// Whether the stack has overflowed, and how many blocks there were afterwards.
    private record Result(boolean overflowed, int blocks) {}

    /// Runs the work at a depth.
    private static Result at(int depth, boolean shared, Work work) {
        return withBlocks(shared, (allocator, blocks) -> {
            boolean overflowed = StackDepth.overflows(depth, () -> work.run(allocator, blocks));
            return new Result(overflowed, check(allocator, blocks));
        });
    }

    /// Runs something with an allocator whose blocks fill some slabs.
    private static <R> R withBlocks(boolean shared, BiFunction<OffsetAllocator, List<Long>, R> work) {
        try (Arena arena = shared ? Arena.ofShared() : Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(512 << 10, 64 << 10);
            OffsetAllocator allocator = shared ? OffsetAllocator.overShared(memory) : OffsetAllocator.over(memory);
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i < 129; i++) {
                blocks.add(allocate(allocator, SMALL));
            }
            return work.apply(allocator, blocks);
        }
    }

    /// Resizes the only block of a slab at a depth, so that the slab goes back. Whether that succeeds or not, the
    /// result is live, and so is the block if there is none.
    ///
    /// @return whether the stack has overflowed
    private static boolean resize(int depth, boolean shared) {
        return withBlocks(shared, (allocator, blocks) -> {
            for (int i = 1; i < 64; i++) {
                allocator.freeRaw(blocks.remove(1));
            }
            // Of the new size, so that the call needs no slab, for which it would need as much stack.
            allocator.allocateRaw(3_000);
            long old = blocks.removeFirst();
            long[] resized = {old};
            boolean overflowed = StackDepth.overflows(depth, () -> resized[0] = allocator.reallocateRaw(old, 3_000));
            MemorySegment memory = allocator.memory();
            if (memory.get(JAVA_LONG, resized[0]) != old) {
                throw new AssertionError("Changed: offset=" + old + ", resized=" + resized[0]);
            }
            memory.set(JAVA_LONG, resized[0], resized[0]);
            blocks.addFirst(resized[0]);
            check(allocator, blocks);
            return overflowed;
        });
    }

    /// Opens an arena of a pool at a depth. The pool can be closed if that has failed.
    ///
    /// @return whether the stack has overflowed
    private static boolean open(int depth, boolean shared) {
        SlabPool pool = SlabPool.create();
        FreeListArena.Builder builder = FreeListArena.builder().pool(pool);
        FreeListArena[] opened = new FreeListArena[1];
        boolean overflowed = StackDepth.overflows(depth,
                () -> opened[0] = (shared ? builder.shared() : builder).build());
        if (opened[0] != null) {
            opened[0].close();
        }
        pool.close();
        return overflowed;
    }

    /// Allocates at a depth after another thread has freed the blocks of some slabs. All of them go back, sooner or
    /// later.
    ///
    /// @return whether the stack has overflowed
    private static boolean collect(int depth) {
        try (Arena arena = Arena.ofShared()) {
            OffsetAllocator allocator = OffsetAllocator.overShared(arena.allocate(1 << 20, 64 << 10));
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i < 8 * 64; i++) {
                blocks.add(allocator.allocateRaw(SMALL));
            }
            if (Threads.thrownBy(() -> blocks.forEach(allocator::freeRaw)) != null) {
                throw new AssertionError("Not freed");
            }
            boolean overflowed = StackDepth.overflows(depth, () -> allocator.allocateRaw(2_000));
            allocator.allocateRaw(3_000);
            // The slabs of the two blocks, and an empty one.
            if (allocator.stats().usedByteSize() > 3 * (64 << 10)) {
                throw new AssertionError("Lost slabs: " + allocator.stats());
            }
            return overflowed;
        }
    }

    private static long allocate(OffsetAllocator allocator, long byteSize) {
        long offset = allocator.allocateRaw(byteSize);
        allocator.memory().set(JAVA_LONG, offset, offset);
        return offset;
    }

    private static int check(OffsetAllocator allocator, List<Long> blocks) {
        Set<Long> live = new HashSet<>(blocks);
        try {
            while (true) {
                long offset = allocate(allocator, SMALL);
                // The block that was being freed is not live any more.
                if (!live.add(offset) && !offset(blocks, offset)) {
                    throw new AssertionError("In use twice: offset=" + offset);
                }
            }
        } catch (CapacityExceededException e) {
            for (long offset : live) {
                if (allocator.memory().get(JAVA_LONG, offset) != offset) {
                    throw new AssertionError("Changed: offset=" + offset, e);
                }
            }
        }
        return live.size();
    }

    private static boolean offset(List<Long> blocks, long offset) {
        return !blocks.isEmpty() && blocks.getLast() == offset;
    }
}
