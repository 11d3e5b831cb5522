package dev.arenakit.mapped.trace;

import dev.arenakit.BlockAllocator;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/// Tests recordings of calls whose counts and sizes are known.
class AllocationTraceTest extends InDirectory {
    private static final int THREADS = 8;

    private final List<TraceEvent> events = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private TraceSummary read() throws IOException {
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            trace.read(events::add, problems::add);
            return trace.summarize(_ -> {
                // They are in the list.
            });
        }
    }

    private List<Kind> kinds() {
        return events.stream().map(TraceEvent::kind).toList();
    }

    @Test
    void read_arenas_hasEachCall() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(base)) {
            try (Arena outer = recorder.wrap(Arena.ofConfined())) {
                outer.allocate(1_000, 8);
                try (Arena inner = recorder.wrap(Arena.ofShared())) {
                    assertThat(inner.allocateFrom("text").getString(0)).isEqualTo("text");
                    outer.allocate(24, 4096);
                }
                outer.allocate(0, 1);
            }
            assertThatThrownBy(() -> recorder.wrap(Arena.ofConfined()).allocate(-1)).isInstanceOf(
                    IllegalArgumentException.class);
        }
        TraceSummary summary = read();

        assertThat(problems).isEmpty();
        assertThat(kinds()).containsExactly(Kind.OPEN, Kind.ALLOCATE, Kind.OPEN, Kind.ALLOCATE, Kind.ALLOCATE,
                Kind.CLOSE, Kind.ALLOCATE, Kind.CLOSE, Kind.OPEN);
        assertThat(events.get(2).isShared()).isTrue();
        assertThat(events.get(4)).satisfies(event -> {
            assertThat(event.arena()).isEqualTo(1);
            assertThat(event.byteSize()).isEqualTo(24);
            assertThat(event.byteAlignment()).isEqualTo(4096);
            assertThat(event.thread()).isEqualTo(Thread.currentThread().threadId());
            assertThat(event.isVirtual()).isFalse();
        });
        assertThat(events).extracting(TraceEvent::nanos).isSorted();
        assertThat(summary.arenas()).isEqualTo(3);
        assertThat(summary.openArenas()).isOne();
        assertThat(summary.mostOpenArenas()).isEqualTo(2);
        assertThat(summary.sharedArenas()).isOne();
        assertThat(summary.allocations()).isEqualTo(4);
        assertThat(summary.byteSize()).isEqualTo(1_029);
        assertThat(summary.peakByteSize()).isEqualTo(1_029);
        assertThat(summary.endByteSize()).isZero();
        assertThat(summary.allocationsOfArenas()).containsExactly(new TraceSummary.Group(1, 1), new TraceSummary.Group(
                2, 1));
        assertThat(summary.byteSizesOfArenas()).extracting(TraceSummary.Group::arenas).containsExactly(1L, 1L);
        assertThat(summary.cells()).extracting(TraceSummary.Cell::byteSize).containsOnly(0L, 4L, 16L, 512L);
        assertThat(summary.timeline()).extracting(TraceSummary.Point::byteSize).contains(1_029L);
    }

    @Test
    void read_blocks_hasFreesAndResizes() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(base);
                TracedBlockArena arena = recorder.wrapBlocks(MallocArena.ofConfined())) {
            MemorySegment first = arena.allocate(100, 8);
            MemorySegment second = arena.allocate(10, 8);
            first = arena.reallocate(first, 1 << 20);
            MemorySegment freed = first;
            arena.free(first);
            assertThatThrownBy(() -> arena.free(freed)).isInstanceOf(IllegalArgumentException.class);
            arena.reallocate(second, 5);
        }
        TraceSummary summary = read();

        assertThat(problems).isEmpty();
        assertThat(kinds()).containsExactly(Kind.OPEN, Kind.ALLOCATE_BLOCK, Kind.ALLOCATE_BLOCK, Kind.RESIZE_BLOCK,
                Kind.FREE_BLOCK, Kind.RESIZE_BLOCK, Kind.CLOSE);
        assertThat(events).extracting(TraceEvent::block).containsExactly(-1L, 0L, 1L, 0L, 0L, 1L, -1L);
        assertThat(summary.peakByteSize()).isEqualTo((1 << 20) + 10);
        assertThat(summary.blocks()).isEqualTo(2);
        assertThat(summary.resizes()).isEqualTo(2);
        assertThat(summary.byteSize()).isEqualTo(110);
        assertThat(summary.endByteSize()).isZero();
    }

    @Test
    void read_blocksOfManyThreads_hasEachBlock() throws Exception {
        long each = 5_000;
        AtomicReferenceArray<MemorySegment> slots = new AtomicReferenceArray<>(64);
        AtomicInteger freed = new AtomicInteger();
        try (TraceRecorder recorder = AllocationTrace.record(base); Arena arena = MallocArena.ofShared()) {
            BlockAllocator blocks = recorder.wrapBlocks((BlockAllocator) arena);
            Threads.race(THREADS, thread -> {
                for (int i = 0; i < each; i++) {
                    MemorySegment old = slots.getAndSet((i * 7 + thread) % 64, blocks.allocate(16 + i % 50, 8));
                    if (old != null) {
                        blocks.free(old);
                        freed.incrementAndGet();
                    }
                }
            });
        }
        TraceSummary summary = read();

        assertThat(problems).isEmpty();
        assertThat(summary.blocks()).isEqualTo(THREADS * each);
        assertThat(summary.events()).isEqualTo(1 + THREADS * each + freed.get());
        assertThat(summary.platformThreads()).isGreaterThanOrEqualTo(THREADS);
        assertThat(events.stream().filter(event -> event.kind() == Kind.FREE_BLOCK).map(TraceEvent::block))
                .doesNotHaveDuplicates();
        assertThat(recordedByteSize()).isLessThan(12 * summary.events());
    }

    private long recordedByteSize() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return image.allocations().filter(each -> each.name().isEmpty()).mapToLong(each -> each.byteSize()).sum();
        }
    }

    @Test
    void read_virtualThreads_areTold() throws Exception {
        try (TraceRecorder recorder = AllocationTrace.record(base)) {
            for (int i = 0; i < 3; i++) {
                Thread.ofVirtual().start(() -> {
                    try (Arena arena = recorder.wrap(Arena.ofConfined())) {
                        arena.allocate(8);
                    }
                }).join();
            }
        }
        TraceSummary summary = read();

        assertThat(summary.virtualThreads()).isEqualTo(3);
        assertThat(summary.platformThreads()).isZero();
        assertThat(summary.outlivingThreads()).isZero();
    }

    @Test
    void read_arenasOfAPool_hasFramesAndOneArenaForAParcel() throws Exception {
        try (TraceRecorder recorder = AllocationTrace.record(base);
                SlabPool pool = SlabPool.builder().recorder(recorder).build();
                SlabArena shared = pool.openShared()) {
            SlabArena arena = pool.openConfined();
            arena.allocate(1_000);
            try (SlabArena frame = arena.pushFrame()) {
                frame.allocate(24);
            }
            SlabParcel parcel = arena.detach();
            arena.close();
            Thread.ofVirtual().start(() -> {
                try (SlabArena attached = parcel.attach()) {
                    attached.allocate(6);
                    shared.allocate(500);
                }
            }).join();
        }
        TraceSummary summary = read();

        assertThat(problems).isEmpty();
        assertThat(events).extracting(TraceEvent::kind, TraceEvent::arena, TraceEvent::byteSize)
                .containsExactly(
                        tuple(Kind.OPEN, 1L, 0L), tuple(Kind.OPEN, 2L, 0L), tuple(Kind.ALLOCATE, 2L, 1_000L),
                        tuple(Kind.OPEN, 3L, 0L), tuple(Kind.ALLOCATE, 3L, 24L), tuple(Kind.CLOSE, 3L, 0L),
                        tuple(Kind.ALLOCATE, 2L, 6L), tuple(Kind.ALLOCATE, 1L, 500L), tuple(Kind.CLOSE, 2L, 0L),
                        tuple(Kind.CLOSE, 1L, 0L));
        assertThat(summary.peakByteSize()).isEqualTo(1_506);
        assertThat(summary.sharedArenas()).isOne();
        // The virtual thread has freed the memory that it got, and its own memory was freed after its end.
        assertThat(summary.freedByOthers()).isEqualTo(2);
        assertThat(summary.outlivingThreads()).isOne();
    }

    @Test
    void record_atItsLimit_endsAndSaysSo() throws IOException {
        try (TraceRecorder recorder = AllocationTrace.record(base, 1 << 20);
                Arena arena = recorder.wrap(
                        Arena.ofConfined())) {
            while (recorder.state() == TraceState.RECORDING) {
                arena.allocate(1);
            }
            assertThat(recorder.state()).isEqualTo(TraceState.FULL);
            assertThat(arena.allocate(8).byteSize()).isEqualTo(8);
            Arena plain = Arena.global();
            assertThat(recorder.wrap(plain)).isSameAs(plain);
        }
        read();

        assertThat(problems).isEmpty();
        assertThat(recordedByteSize()).isLessThanOrEqualTo(1 << 20);
        assertThat(events.size()).isGreaterThan(100_000);
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            assertThat(trace.state()).isEqualTo(TraceState.FULL);
        }
    }

    @Test
    void close_withOpenArenas_leavesThemUsable() throws IOException {
        TraceRecorder recorder = AllocationTrace.record(base);
        Arena arena = recorder.wrap(Arena.ofConfined());
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            assertThat(trace.state()).isEqualTo(TraceState.RECORDING);
        }
        recorder.close();
        recorder.close();
        arena.allocate(8).fill((byte) 1);
        arena.close();

        assertThat(read().openArenas()).isOne();
        try (AllocationTrace trace = AllocationTrace.open(base)) {
            assertThat(trace.state()).isEqualTo(TraceState.COMPLETE);
        }
    }

    @Test
    void read_damagedPage_namesItAndReadsTheOthers() throws IOException {
        recordManyPages();
        int all = read().arenas() > 0 ? events.size() : 0;
        Path file = directory.resolve("memory-0");
        long page = 2 << 14;
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(page + 1_000);
            int value = damaged.read();
            damaged.seek(page + 1_000);
            damaged.write(value ^ 1);
        }
        events.clear();
        read();

        assertThat(problems).anyMatch(problem -> problem.contains("damaged") && problem.contains(file.toString()));
        assertThat(events.size()).isBetween(all / 2, all - 100);
    }

    @Test
    void read_cutFile_namesMissingPagesAndReadsTheOthers() throws IOException {
        recordManyPages();
        Path file = directory.resolve("memory-0");
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(3 << 14);
        }
        read();

        assertThat(problems).anyMatch(problem -> problem.contains("missing") && problem.contains(file.toString()));
        assertThat(events).hasSizeGreaterThan(1_000);
    }

    /// A process can be killed while it begins a page.
    @Test
    void read_pageWithoutMagicAndEvents_isNoProblem() throws IOException {
        recordManyPages();
        read();
        int all = events.size();
        long last;
        try (ArenaImage image = ArenaImage.open(base)) {
            last = image.allocations()
                    .filter(each -> each.name().isEmpty())
                    .mapToLong(Allocation::byteOffset)
                    .max()
                    .orElseThrow();
        }
        try (RandomAccessFile file = new RandomAccessFile(directory.resolve("memory-0").toFile(), "rw")) {
            file.seek(last);
            file.writeInt(0);
            file.seek(last + 32);
            file.write(new byte[(1 << 14) - 32]);
        }
        events.clear();
        read();

        assertThat(problems).isEmpty();
        assertThat(events).hasSizeBetween(all / 2, all - 1);
    }

    private void recordManyPages() {
        try (TraceRecorder recorder = AllocationTrace.record(base); Arena arena = recorder.wrap(Arena.ofConfined())) {
            for (int i = 0; i < 20_000; i++) {
                arena.allocate(i % 100);
            }
        }
    }

    @Test
    void open_otherImage_isRefused() {
        using(InfiniteArena.builder(base).chunked().build(), arena -> arena.names().allocate("other", 8, 8));

        assertThatThrownBy(() -> AllocationTrace.open(base)).isInstanceOf(IOException.class)
                .hasMessageContaining("not an allocation trace")
                .hasMessageContaining(base.toString());
        assertThatThrownBy(() -> AllocationTrace.record(directory.resolve("other"), 1)).isInstanceOf(
                IllegalArgumentException.class).hasMessageContaining("maxByteSize=1");
        assertThat(Files.exists(directory.resolve("other.catalog"))).isFalse();
    }
}
