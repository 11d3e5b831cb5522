package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.LibcAllocator;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.channels.FileChannel.MapMode.READ_ONLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Runs both columns of `docs/from-jdk-arenas.md`.
class FromJdkArenasTest {
    private static final SlabPool POOL = SlabPool.create();
    private static final VarHandle QUANTITY = MemoryLayout.structLayout(JAVA_LONG, JAVA_INT.withName("quantity"))
            .varHandle(PathElement.groupElement("quantity"));
    private static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    private static final long BIG = 16 << 20;

    record Trade(long id, int quantity) {}

    @AfterAll
    static void closePool() {
        POOL.close();
    }

    @Test
    void rows_areTested() throws IOException {
        Guide.read("from-jdk-arenas.md", FromJdkArenasTest.class).assertRowsAreTested();
    }

    @Test
    void ofConfined_isZeroedAndConfined() {
        MemorySegment there;
        MemorySegment here;
        try (Arena arena = Arena.ofConfined()) {
            there = arena.allocate(64);
            assertThat(there.toArray(JAVA_BYTE)).containsOnly(0);
            assertThat(inAnotherThread(() -> there.get(JAVA_BYTE, 0))).isInstanceOf(WrongThreadException.class);
        }
        try (SlabArena arena = POOL.openConfined()) {
            here = arena.allocate(64);
            assertThat(here.toArray(JAVA_BYTE)).containsOnly(0);
            assertThat(inAnotherThread(() -> here.get(JAVA_BYTE, 0))).isInstanceOf(WrongThreadException.class);
        }
        assertSameFailure(() -> there.get(JAVA_BYTE, 0), () -> here.get(JAVA_BYTE, 0));
    }

    @Test
    void ofShared_isAccessibleInAllThreads() {
        MemorySegment there;
        MemorySegment here;
        try (Arena arena = Arena.ofShared()) {
            there = arena.allocate(64);
            assertThat(inAnotherThread(() -> there.set(JAVA_LONG, 8, 42))).isNull();
            assertThat(there.get(JAVA_LONG, 8)).isEqualTo(42);
        }
        try (SlabArena arena = POOL.openShared()) {
            here = arena.allocate(64);
            assertThat(inAnotherThread(() -> here.set(JAVA_LONG, 8, 42))).isNull();
            assertThat(here.get(JAVA_LONG, 8)).isEqualTo(42);
        }
        assertSameFailure(() -> there.get(JAVA_BYTE, 0), () -> here.get(JAVA_BYTE, 0));
    }

    @Test
    void ofAuto_cannotBeClosed() {
        Arena automatic;
        {
            Arena arena = Arena.ofAuto();
            automatic = arena;
        }
        assertThat(automatic.allocateFrom("text").getString(0)).isEqualTo("text");
        assertThatThrownBy(automatic::close).isInstanceOf(UnsupportedOperationException.class);

        MallocArena arena = MallocArena.ofShared();
        MemorySegment block = arena.allocateFrom("text");
        assertThat(block.getString(0)).isEqualTo("text");
        arena.free(block);
        arena.close();
    }

    @Test
    void slicingAllocator_throwsWhenFull_andFrameDoesNot() {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment block = arena.allocate(64);
            MemorySegment there;
            {
                SegmentAllocator scratch = SegmentAllocator.slicingAllocator(block);
                there = scratch.allocateFrom(JAVA_LONG, 1, 2, 3);
                assertThatThrownBy(() -> scratch.allocate(64)).isInstanceOf(IndexOutOfBoundsException.class);
            }
            MemorySegment here;
            try (SlabArena scratch = arena.pushFrame()) {
                here = scratch.allocateFrom(JAVA_LONG, 1, 2, 3);
                assertThat(here.toArray(JAVA_LONG)).isEqualTo(there.toArray(JAVA_LONG));
                assertThat(scratch.allocate(1 << 17).byteSize()).isEqualTo(1 << 17);
            }
            assertThat(there.get(JAVA_LONG, 0)).isEqualTo(1);
            assertThatThrownBy(() -> here.get(JAVA_LONG, 0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void reallocate_keepsTheBytes() {
        long there;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocateFrom(JAVA_LONG, 42);
            MemorySegment larger;
            larger = arena.allocate(128).copyFrom(block);
            there = larger.get(JAVA_LONG, 0);
        }
        try (MallocArena blocks = MallocArena.ofConfined()) {
            MemorySegment block = blocks.allocateFrom(JAVA_LONG, 42);
            MemorySegment larger;
            larger = blocks.reallocate(block, 128);
            assertThat(larger.byteSize()).isEqualTo(128);
            assertThat(larger.get(JAVA_LONG, 0)).isEqualTo(there);
            assertThat(blocks.stats().liveBlocks()).isEqualTo(1);
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void adopt_freesABlockOfC() {
        try (Arena arena = Arena.ofConfined(); MallocArena blocks = MallocArena.ofConfined()) {
            MemorySegment pointer = MemorySegment.ofAddress(LibcAllocator.mallocCritical(64));
            MemorySegment there = pointer.reinterpret(64, arena, this::free);
            pointer = MemorySegment.ofAddress(LibcAllocator.mallocCritical(64));
            MemorySegment here = blocks.adopt(pointer.reinterpret(64));
            assertThat(here.byteSize()).isEqualTo(there.byteSize());
            blocks.free(here);
            assertThat(blocks.stats().liveBlocks()).isZero();
        }
    }

    @Test
    void record_hasTheValueOfTheVarHandle() {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment trade = TRADES.allocateFrom(arena, new Trade(7, 3));
            assertThat((int) QUANTITY.get(trade, 0L)).isEqualTo(3);
            assertThat(TRADES.get(trade, 0).quantity()).isEqualTo(3);
            assertThat(TRADES.intField("quantity").get(trade, 0)).isEqualTo(3);
        }
    }

    @Test
    void windows_haveTheBytesOfTheMapping(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file);
                MappedWindows windows = MappedWindows.open(file);
                MappedWindow window = windows.lease(0, 64)) {
            MemorySegment mapping = channel.map(READ_ONLY, 0, 64, arena);
            assertThat(window.segment().mismatch(mapping)).isEqualTo(-1);
        }
    }

    @Test
    void maxDirectMemorySize_countsAutomaticArenasAlone() {
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)
                .stream()
                .filter(bean -> bean.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long before = direct.getMemoryUsed();
        try (Arena confined = Arena.ofConfined(); SlabArena arena = POOL.openConfined()) {
            confined.allocate(BIG);
            arena.allocate(BIG);
            assertThat(direct.getMemoryUsed()).isLessThan(before + BIG);
        }
        MemorySegment automatic = Arena.ofAuto().allocate(BIG);
        assertThat(direct.getMemoryUsed()).isGreaterThan(BIG / 2);
        assertThat(automatic.get(JAVA_BYTE, 0)).isZero();
    }

    private void free(MemorySegment block) {
        LibcAllocator.freeCritical(block.address());
    }

    private static Throwable inAnotherThread(Runnable access) {
        return CompletableFuture.runAsync(access)
                .handle((_, failure) -> failure == null ? null : failure.getCause())
                .join();
    }

    private static void assertSameFailure(ThrowingCallable there, ThrowingCallable here) {
        assertThat(catchThrowable(here)).hasSameClassAs(catchThrowable(there))
                .hasMessage(catchThrowable(there).getMessage());
    }
}
