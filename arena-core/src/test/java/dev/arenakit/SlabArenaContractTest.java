package dev.arenakit;

import dev.arenakit.contract.ArenaContract;
import dev.arenakit.contract.Capabilities;
import dev.arenakit.internal.PageMappings;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for the arenas of a pool and their frames.
class SlabArenaContractTest {
    /// Enough for three arenas of the largest size that the contract needs.
    private static final long MAX_BYTE_SIZE = 3 * (64L << 20);

    /// Arenas of one pool, over a counting allocator.
    abstract static class Pooled implements ArenaContract {
        private final CountingAllocator counting = new CountingAllocator();
        final SlabPool pool;
        private final Capabilities capabilities;

        Pooled(SlabPool.Builder builder, Capabilities capabilities) {
            this.pool = builder.allocator(counting.allocator()).build();
            this.capabilities = capabilities;
        }

        Pooled(SlabPool.Builder builder, NativeAllocator allocator, Capabilities capabilities) {
            this.pool = builder.allocator(allocator).build();
            this.capabilities = capabilities;
        }

        @Override
        public Arena open() {
            return capabilities.shared() ? pool.openShared() : pool.openConfined();
        }

        @Override
        public Capabilities capabilities() {
            return capabilities;
        }

        @Override
        public OptionalLong held() {
            return OptionalLong.of(pool.stats().usedByteSize());
        }

        @Override
        public void endDeferred() {
            if (capabilities.deferredEnd()) {
                pool.trim();
            }
        }

        @AfterEach
        void poolClosesAndFreesEverything() {
            assertThat(pool.stats().openArenas()).isZero();
            pool.close();
            counting.assertNothingHeld();
        }
    }

    /// The allocator of a pool whose builder was given none.
    static NativeAllocator defaultAllocator() {
        return PageMappings.isSupported() ? NativeAllocator.pages() : NativeAllocator.libc();
    }

    @Nested
    class Confined extends Pooled {
        Confined() {
            super(SlabPool.builder(), Capabilities.ofConfined());
        }
    }

    @Nested
    class Shared extends Pooled {
        Shared() {
            super(SlabPool.builder(), Capabilities.ofShared());
        }
    }

    @Nested
    class ConfinedNotZeroed extends Pooled {
        ConfinedNotZeroed() {
            super(SlabPool.builder().unzeroed(), Capabilities.ofConfined().withoutZeroing());
        }
    }

    @Nested
    class SharedNotZeroed extends Pooled {
        SharedNotZeroed() {
            super(SlabPool.builder().unzeroed(), Capabilities.ofShared().withoutZeroing());
        }
    }

    /// Over the default allocator of pools. The other classes use a counting allocator instead.
    @Nested
    class BoundedConfined extends Pooled {
        BoundedConfined() {
            super(SlabPool.builder().maxByteSize(MAX_BYTE_SIZE), defaultAllocator(), Capabilities.ofConfined());
        }
    }

    @Nested
    class BoundedShared extends Pooled {
        BoundedShared() {
            super(SlabPool.builder().maxByteSize(MAX_BYTE_SIZE).unzeroed(), defaultAllocator(),
                    Capabilities.ofShared().withoutZeroing());
        }
    }

    /// Over a pool that waits if it is full, which it never is.
    @Nested
    class WaitingConfined extends Pooled {
        WaitingConfined() {
            super(SlabPool.builder().maxByteSize(MAX_BYTE_SIZE).openTimeout(Duration.ofMinutes(1)),
                    Capabilities.ofConfined());
        }
    }

    @Nested
    class WaitingShared extends Pooled {
        WaitingShared() {
            super(SlabPool.builder().maxByteSize(MAX_BYTE_SIZE).openTimeout(Duration.ofMinutes(1)),
                    Capabilities.ofShared());
        }
    }

    /// Groups of four arenas. The contract's arenas have different lifetimes, so that groups of several arenas end.
    @Nested
    class Grouped extends Pooled {
        Grouped() {
            super(SlabPool.builder().groupedClose(4), Capabilities.ofShared().withDeferredEnd());
        }
    }

    @Nested
    class GroupedBounded extends Pooled {
        GroupedBounded() {
            super(SlabPool.builder()
                    .slabByteSize(1_024)
                    .maxByteSize(MAX_BYTE_SIZE)
                    .unzeroed()
                    .openTimeout(Duration.ofMinutes(1))
                    .groupedClose(256), defaultAllocator(),
                    Capabilities.ofShared().withoutZeroing().withDeferredEnd());
        }
    }

    /// A slab holds four of the contract's small blocks, so that arenas move on to new slabs often, and free most of
    /// them.
    @Nested
    class TinySlabs extends Pooled {
        TinySlabs() {
            super(SlabPool.builder().slabByteSize(1_024).maxIdleByteSize(4_096), Capabilities.ofConfined());
        }
    }

    @Nested
    class Frames extends Pooled {
        Frames() {
            super(SlabPool.builder(), Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return new Frame(pool.openConfined(), 1);
        }
    }

    @Nested
    class NestedFramesNotZeroed extends Pooled {
        NestedFramesNotZeroed() {
            super(SlabPool.builder().maxByteSize(MAX_BYTE_SIZE).unzeroed(),
                    Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return new Frame(pool.openConfined(), 3);
        }
    }

    @Nested
    class Attached extends Pooled {
        Attached() {
            super(SlabPool.builder(), Capabilities.ofConfined());
        }

        @Override
        public Arena open() {
            return new AttachedArena(pool);
        }
    }

    /// In a pool that waits, and whose slabs hold four of the contract's small blocks.
    @Nested
    class AttachedTinySlabs extends Pooled {
        AttachedTinySlabs() {
            super(SlabPool.builder()
                    .slabByteSize(1_024)
                    .maxByteSize(MAX_BYTE_SIZE)
                    .openTimeout(Duration.ofMinutes(1))
                    .unzeroed(), Capabilities.ofConfined().withoutZeroing());
        }

        @Override
        public Arena open() {
            return new AttachedArena(pool);
        }
    }

    /// An arena over the memory of an arena of another thread. Closing it checks that what was allocated there is
    /// unchanged.
    private static final class AttachedArena implements Arena {
        private static final byte PATTERN = 0x3C;

        private final SlabArena arena;
        private final List<MemorySegment> earlier = new ArrayList<>();

        AttachedArena(SlabPool pool) {
            List<MemorySegment> detached = new ArrayList<>();
            SlabParcel[] parcel = new SlabParcel[1];
            assertThat(Threads.thrownBy(() -> {
                try (SlabArena first = pool.openConfined()) {
                    for (long byteSize : new long[]{100, 0, 240, 240, 240, 240, 100_000, 3}) {
                        detached.add(first.allocate(byteSize, 1).fill(PATTERN));
                    }
                    parcel[0] = first.detach();
                }
            })).isNull();
            arena = parcel[0].attach();
            detached.forEach(segment -> earlier.add(parcel[0].segment(segment)));
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return arena.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            if (arena.scope().isAlive() && earlier.getFirst().isAccessibleBy(Thread.currentThread())) {
                assertThat(earlier).as("memory of the parcel is unchanged")
                        .allSatisfy(segment -> assertThat(Bytes.allAre(segment, PATTERN)).isTrue());
            }
            arena.close();
        }
    }

    /// The top frame of an arena of its own. Closing it closes the frames below it and the arena too, after a check
    /// that the memory below the frame is unchanged.
    private static final class Frame implements Arena {
        private static final byte PATTERN = 0x3C;

        private final SlabArena frame;
        /// The arena and its other frames, the lowest first.
        private final List<SlabArena> lower = new ArrayList<>();
        private final MemorySegment below;

        Frame(SlabArena arena, int depth) {
            below = arena.allocate(100, 1).fill(PATTERN);
            SlabArena top = arena;
            for (int i = 1; i <= depth; i++) {
                lower.add(top);
                top.allocate(100, 1).fill((byte) i);
                top = top.pushFrame();
            }
            frame = top;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return frame.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return frame.scope();
        }

        @Override
        public void close() {
            boolean closes = frame.scope().isAlive();
            try {
                frame.close();
            } finally {
                if (closes && !frame.scope().isAlive()) {
                    assertThat(Bytes.allAre(below, PATTERN)).as("memory below the frame is unchanged").isTrue();
                    lower.reversed().forEach(SlabArena::close);
                }
            }
        }
    }
}
