package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import java.lang.foreign.Arena;

/// Runs the code that releases memory once, before there is memory to release.
///
/// The JVM loads classes and links calls when they are first executed, for which it needs heap memory. If the heap were
/// exhausted when the first arena of a process is closed, the memory of that arena would be lost.
///
/// A failure is ignored: no memory can be lost yet, and opening the arena will fail for the same reason.
final class FirstRelease {
    private static final long SMALL = 32;
    private static final long LARGE = 1 << 20;

    private FirstRelease() {}

    /// Prepares for the release of slabs. The caller has checked native access.
    static void prepareSlabs() {
        Slabs.initialize();
    }

    /// Prepares for the close of arenas for all threads, over slabs.
    static void prepareSharedSlabs() {
        SharedSlabs.initialize();
    }

    /// Prepares for the release of blocks.
    static void prepareBlocks() {
        Blocks.initialize();
    }

    /// Prepares for the close of arenas for all threads, and of checked ones.
    static void prepareGuardedBlocks() {
        Guarded.initialize();
    }

    /// Prepares for the close of arenas over slabs whose blocks are freed one by one.
    static void prepareSlabBlocks() {
        SlabBlocks.initialize();
    }

    private static void useAndClose(Arena arena) {
        try (arena) {
            arena.allocate(SMALL);
            arena.allocate(LARGE);
        }
    }

    private static SlabPool pool(NativeAllocator allocator) {
        return SlabPool.builder().allocator(allocator).build();
    }

    private static NativeAllocator[] allocators() {
        return PageMappings.isSupported()
                ? new NativeAllocator[]{NativeAllocator.pages(), NativeAllocator.libc()}
                : new NativeAllocator[]{NativeAllocator.libc()};
    }

    private static final class Slabs {
        static {
            try {
                for (NativeAllocator allocator : allocators()) {
                    try (SlabPool pool = pool(allocator)) {
                        useAndClose(pool.openConfined());
                        try (SlabArena arena = pool.openConfined()) {
                            useAndClose(arena.pushFrame());
                        }
                        pool.trim();
                    }
                }
            } catch (Throwable _) {
                // Not prepared.
            }
        }

        static void initialize() {}
    }

    private static final class SharedSlabs {
        static {
            try (SlabPool pool = SlabPool.create()) {
                useAndClose(pool.openShared());
            } catch (Throwable _) {
                // Not prepared.
            }
        }

        static void initialize() {}
    }

    private static final class SlabBlocks {
        static {
            try {
                for (FreeListArena.Builder builder : builders()) {
                    useAndClose(builder.build());
                }
            } catch (Throwable _) {
                // Not prepared.
            }
        }

        private static FreeListArena.Builder[] builders() {
            return new FreeListArena.Builder[]{FreeListArena.builder(), FreeListArena.builder().shared(),
                    FreeListArena.builder().checked(), FreeListArena.builder().checked().shared()};
        }

        static void initialize() {}
    }

    private static final class Blocks {
        static {
            try {
                useAndClose(MallocArena.ofConfined());
            } catch (Throwable _) {
                // Not prepared.
            }
        }

        static void initialize() {}
    }

    private static final class Guarded {
        static {
            try {
                useAndClose(MallocArena.ofShared());
                useAndClose(MallocArena.builder().checked().build());
            } catch (Throwable _) {
                // Not prepared.
            }
        }

        static void initialize() {}
    }
}
