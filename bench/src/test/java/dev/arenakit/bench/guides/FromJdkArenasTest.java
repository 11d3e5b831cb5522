package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/// Runs both columns of the section "The JDK's arenas" of `docs/migration.md`.
class FromJdkArenasTest {
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();
    private static final long BIG = 16 << 20;

    @Test
    void rows_areTested() throws IOException {
        Guide.section("The JDK's arenas", FromJdkArenasTest.class).assertRowsAreTested();
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
