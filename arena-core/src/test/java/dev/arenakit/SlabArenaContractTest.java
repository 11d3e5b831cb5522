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
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/// The contract of every arena, for the arenas of a pool and their frames. Takes some seconds: hundreds of tests,
/// and a tenth of a second for each test of threads. [SlabArenaFormsContractTest] has the other forms of a pool.
@ParameterizedClass
@EnumSource(value = SlabArenaContractTest.Kind.class, mode = EnumSource.Mode.MATCH_ANY,
        names = SlabArenaContractTest.TELLING)
class SlabArenaContractTest implements ArenaContract {
    /// Enough for three arenas of the largest size that the contract needs.
    private static final long MAX_BYTE_SIZE = 3 * (64L << 20);

    /// A kind for each way of acquiring and releasing memory.
    static final String TELLING = "CONFINED|SHARED|SHARED_GROUPED|TINY_SLABS|FRAMES|ATTACHED_TINY_SLABS_UNZEROED";

    /// The pools wait if they are full, which they never are.
    enum Kind {
        CONFINED, SHARED, UNZEROED, SHARED_UNZEROED, BOUNDED, SHARED_BOUNDED_UNZEROED, WAITING, SHARED_WAITING, //
        /// Groups of four arenas. The contract's arenas have different lifetimes, so that groups of several arenas end.
        SHARED_GROUPED, SHARED_GROUPED_BOUNDED_UNZEROED, //
        /// A slab holds four of the contract's small blocks, so that arenas move on to new slabs often, and free most
        /// of them.
        TINY_SLABS, FRAMES, NESTED_FRAMES_UNZEROED, ATTACHED, ATTACHED_TINY_SLABS_UNZEROED, //
        /// A recorder gets the events of the pool.
        SHARED_RECORDED, FRAMES_RECORDED, ATTACHED_RECORDED, //
        /// The allocator has no `aligned_alloc`.
        UNALIGNED;

        boolean has(String property) {
            return name().contains(property);
        }
    }

    private final Kind kind;
    private final CountingAllocator counting;
    private final SlabPool pool;
    private final CountingRecorder recorder = new CountingRecorder();

    SlabArenaContractTest(Kind kind) {
        this.kind = kind;
        counting = kind == Kind.UNALIGNED ? CountingAllocator.withoutAlignedAlloc() : new CountingAllocator();
        // The default allocator of pools, or one that counts.
        SlabPool.Builder builder = SlabPool.builder()
                .allocator(kind.has("BOUNDED") ? defaultAllocator() : counting.allocator());
        if (kind.has("UNZEROED")) {
            builder.unzeroed();
        }
        if (kind.has("RECORDED")) {
            builder.recorder(recorder);
        }
        Duration minute = Duration.ofMinutes(1);
        pool = (switch (kind) {
            case BOUNDED, SHARED_BOUNDED_UNZEROED, NESTED_FRAMES_UNZEROED -> builder.maxByteSize(MAX_BYTE_SIZE);
            case WAITING, SHARED_WAITING -> builder.maxByteSize(MAX_BYTE_SIZE).openTimeout(minute);
            case SHARED_GROUPED -> builder.groupedClose(4);
            case SHARED_GROUPED_BOUNDED_UNZEROED -> builder.slabByteSize(1_024)
                    .maxByteSize(MAX_BYTE_SIZE)
                    .openTimeout(minute)
                    .groupedClose(256);
            case TINY_SLABS -> builder.slabByteSize(1_024).maxIdleByteSize(4_096);
            case ATTACHED_TINY_SLABS_UNZEROED -> builder.slabByteSize(1_024)
                    .maxByteSize(MAX_BYTE_SIZE)
                    .openTimeout(minute);
            default -> builder;
        }).build();
    }

    /// The allocator of a pool whose builder was given none.
    static NativeAllocator defaultAllocator() {
        return PageMappings.isSupported() ? NativeAllocator.pages() : NativeAllocator.libc();
    }

    @Override
    public Arena open() {
        return switch (kind) {
            case FRAMES, FRAMES_RECORDED -> new Frame(pool.openConfined(), 1);
            case NESTED_FRAMES_UNZEROED -> new Frame(pool.openConfined(), 3);
            case ATTACHED, ATTACHED_RECORDED, ATTACHED_TINY_SLABS_UNZEROED -> new AttachedArena(pool);
            default -> kind.has("SHARED") ? pool.openShared() : pool.openConfined();
        };
    }

    @Override
    public Capabilities capabilities() {
        Capabilities all = kind.has("SHARED") ? Capabilities.ofShared() : Capabilities.ofConfined();
        Capabilities zeroing = kind.has("UNZEROED") ? all.withoutZeroing() : all;
        return kind.has("GROUPED") ? zeroing.withDeferredEnd() : zeroing;
    }

    @Override
    public OptionalLong held() {
        return OptionalLong.of(pool.stats().usedByteSize());
    }

    @Override
    public void endDeferred() {
        if (kind.has("GROUPED")) {
            pool.trim();
        }
    }

    @AfterEach
    void poolClosesAndFreesEverything() {
        assertThat(pool.stats().openArenas()).isZero();
        assertThat(recorder.open()).isEmpty();
        pool.close();
        counting.assertNothingHeld();
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
    static final class Frame implements Arena {
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
