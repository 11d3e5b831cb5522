package dev.arenakit;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// The main class of [ExhaustedHeapTest]. Each round opens an arena, fills the heap, and closes the arena, or frees or
/// resizes a block. Each operation is called more often than the JVM counts calls of a method handle before it compiles
/// the handle anew, for which it needs heap memory.
final class ExhaustedHeapSession {
    private static final long SMALL = 32;
    private static final long LARGE = 1 << 20;
    private static final int COMPILED = 20_000;
    private static final Object[] FILLING = new Object[1 << 16];

    private static int filled;

    private ExhaustedHeapSession() {}

    /// Runs the rounds.
    ///
    /// @param args the kind of arena, a constant of [Kind], and the number of rounds
    public static void main(String[] args) {
        int rounds = Integer.parseInt(args[1]);
        // Load and link all that the loops use.
        fill(1);
        Arrays.fill(FILLING, null);
        Kind.valueOf(args[0]).run(rounds);
        System.out.println("nothing lost");
    }

    enum Kind {
        SLAB {
            @Override
            void run(int rounds) {
                try (SlabPool pool = SlabPool.create()) {
                    closeAll(pool::openConfined, rounds);
                }
            }
        },
        SLAB_LIBC {
            @Override
            void run(int rounds) {
                try (SlabPool pool = SlabPool.builder().allocator(NativeAllocator.libc()).build()) {
                    closeAll(pool::openConfined, rounds);
                }
            }
        },
        SLAB_SHARED {
            @Override
            void run(int rounds) {
                try (SlabPool pool = SlabPool.create()) {
                    closeAll(pool::openShared, rounds);
                }
            }
        },
        FRAME {
            @Override
            void run(int rounds) {
                try (SlabPool pool = SlabPool.create(); SlabArena arena = pool.openConfined()) {
                    closeAll(arena::pushFrame, rounds);
                }
            }
        },
        FREE_LISTS {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> FreeListArena.builder().allocator(allocator).build(), rounds);
            }
        },
        FREE_LISTS_SHARED {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> FreeListArena.builder().allocator(allocator).shared().build(), rounds);
            }
        },
        FREE_LISTS_CHECKED_SHARED {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> FreeListArena.builder().allocator(allocator).checked().shared().build(),
                        rounds);
            }
        },
        MALLOC {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> MallocArena.builder().allocator(allocator).build(), rounds);
            }
        },
        MALLOC_SHARED {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> MallocArena.builder().allocator(allocator).shared().build(), rounds);
            }
        },
        CHECKED {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> MallocArena.builder().allocator(allocator).checked().build(), rounds);
            }
        },
        CHECKED_SHARED {
            @Override
            void run(int rounds) {
                closeAndFree(allocator -> MallocArena.builder().allocator(allocator).checked().shared().build(),
                        rounds);
            }
        };

        abstract void run(int rounds);
    }

    private static <A extends Arena & BlockAllocator> void closeAndFree(Function<NativeAllocator, A> open,
            int rounds) {
        closeAll(() -> open.apply(NativeAllocator.libc()), rounds);
        freeAll(open, rounds);
        resizeAll(open, rounds);
    }

    private static void closeAll(Supplier<? extends Arena> open, int rounds) {
        for (int round = 0; round < rounds; round++) {
            Arena arena = open.get();
            allocate(arena);
            closeWithoutHeap(arena);
        }
    }

    private static void allocate(Arena arena) {
        for (int i = 0; i < 3; i++) {
            arena.allocate(SMALL);
        }
        arena.allocate(LARGE);
    }

    private static void closeWithoutHeap(Arena arena) {
        OutOfMemoryError error = null;
        fill(FILLING.length);
        try {
            arena.close();
        } catch (OutOfMemoryError e) {
            error = e;
        }
        Arrays.fill(FILLING, null);
        if (error != null) {
            if (!arena.scope().isAlive()) {
                throw new AssertionError("The close has failed after it had ended the scope: " + arena.getClass(),
                        error);
            }
            arena.close();
        }
    }

    private static <A extends Arena & BlockAllocator> void freeAll(Function<NativeAllocator, A> open, int rounds) {
        try (A arena = open.apply(NativeAllocator.libc())) {
            MemorySegment[] blocks = new MemorySegment[rounds];
            Arrays.setAll(blocks, i -> arena.allocate(i % 2 == 0 ? SMALL : LARGE / 4));
            for (MemorySegment block : blocks) {
                freeWithoutHeap(arena, block);
            }
        }
    }

    private static void freeWithoutHeap(BlockAllocator arena, MemorySegment block) {
        OutOfMemoryError error = null;
        fill(FILLING.length);
        try {
            arena.free(block);
        } catch (OutOfMemoryError e) {
            error = e;
        }
        Arrays.fill(FILLING, null);
        if (error != null) {
            arena.free(block);
        }
    }

    /// Another thread exhausts the heap while a block is resized: here, the allocator does it.
    private static <A extends Arena & BlockAllocator> void resizeAll(Function<NativeAllocator, A> open, int rounds) {
        boolean[] exhausts = {false};
        NativeAllocator allocator = NativeAllocator.failing(NativeAllocator.libc(), _ -> {
            if (exhausts[0]) {
                fill(FILLING.length);
            }
            return false;
        });
        try (A arena = open.apply(allocator)) {
            // Compiled code needs heap memory for nothing but the new segment.
            MemorySegment resized = arena.allocate(LARGE / 4);
            for (int i = 0; i < COMPILED; i++) {
                resized = arena.reallocate(resized, LARGE / 4 + i % 2);
            }
            for (int i = 0; i < rounds; i++) {
                long byteSize = i % 2 == 0 ? SMALL : LARGE / 4;
                MemorySegment block = arena.allocate(byteSize);
                block.fill((byte) 7);
                MemorySegment larger = null;
                // Puts the block into the index, so that the call below asks only for the new block.
                arena.free(arena.allocate(1));
                exhausts[0] = true;
                try {
                    larger = arena.reallocate(block, 2 * byteSize);
                } catch (OutOfMemoryError e) {
                    // Below, with heap memory, the block must be as it was.
                    Thread.onSpinWait();
                }
                exhausts[0] = false;
                Arrays.fill(FILLING, null);
                if (larger == null) {
                    larger = arena.reallocate(block, 2 * byteSize);
                }
                if (larger.get(JAVA_BYTE, 0) != 7 || larger.get(JAVA_BYTE, byteSize - 1) != 7) {
                    throw new AssertionError("The block has changed: " + arena.getClass());
                }
                arena.free(larger);
            }
        }
    }

    /// Fills the heap. The arrays are so small in the end that no object fits any more.
    private static void fill(int most) {
        filled = 0;
        for (int length = 1 << 18; length >= 1; length /= 64) {
            try {
                while (filled < most) {
                    FILLING[filled] = new byte[length];
                    filled++;
                }
            } catch (OutOfMemoryError e) {
                // A smaller array may fit.
                Thread.onSpinWait();
            }
        }
    }
}
