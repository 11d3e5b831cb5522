package dev.arenakit.bench.guides;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.LibcAllocator;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs the program of `docs/faq.md`, and checks what it says.
class FaqTest {
    @AutoClose
    private static final SlabPool POOL = SlabPool.create();

    private static long sum(MemorySegment numbers) {
        return LongStream.of(numbers.toArray(JAVA_LONG)).sum();
    }

    private static void work(MemorySegment scratch) {
        scratch.fill((byte) 7);
    }

    private static String withoutIndentation(String code) {
        return code.strip().replaceAll("\n +", "\n");
    }

    @Test
    void block_isOfATest() throws IOException {
        Guide guide = Guide.page("faq.md", FaqTest.class);
        String source = withoutIndentation(String.join("", guide.methods()));
        assertThat(guide.blocks()).singleElement()
                .satisfies(block -> assertThat(source).contains(withoutIndentation(block)));
    }

    @Test
    void detach_handsTheMemoryOver() throws Exception {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                SlabArena arena = POOL.openConfined()) {
            MemorySegment numbers = arena.allocateFrom(JAVA_LONG, 40, 2);
            assertThatThrownBy(executor.submit(() -> sum(numbers))::get)
                    .hasCauseInstanceOf(WrongThreadException.class);
            SlabParcel parcel = arena.detach();
            Future<Long> sum = executor.submit(() -> {
                try (SlabArena _ = parcel.attach()) {
                    return sum(parcel.segment(numbers));
                }
            });
            assertThat(sum.get()).isEqualTo(42);
        }
    }

    @Test
    @SuppressWarnings("restricted")
    void pointer_hasTheSizeOfItsReinterpretation() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            MemorySegment pointer = MemorySegment.ofAddress(LibcAllocator.mallocCritical(64));
            assertThatThrownBy(() -> pointer.get(JAVA_BYTE, 0)).isInstanceOf(IndexOutOfBoundsException.class);
            MemorySegment text = pointer.reinterpret(6);
            text.setString(0, "hello");
            MemorySegment owned = arena.adopt(pointer.reinterpret(64)); // freed when the arena is closed
            assertThat(owned.getString(0)).isEqualTo("hello");
            assertThat(arena.stats().liveBlocks()).isEqualTo(1);
        }
    }

    @Test
    void frame_endsBeforeItsArena() {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment kept = arena.allocate(8);
            MemorySegment[] freed = new MemorySegment[1];
            try (SlabArena frame = arena.pushFrame()) {
                freed[0] = frame.allocate(8);
            }
            assertThatThrownBy(() -> freed[0].get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThat(kept.get(JAVA_BYTE, 0)).isZero();
            try (SlabArena frame = arena.pushFrame()) {
                MemorySegment scratch = frame.allocate(1024);
                work(scratch);
            } // The memory is used again, and scratch throws.
        }
    }

    @Test
    void varHandle_withExactBehavior_refusesOtherTypes() {
        VarHandle longs = JAVA_LONG.varHandle().withInvokeExactBehavior();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = arena.allocate(8);
            longs.set(segment, 0L, 42L);
            assertThat((long) longs.get(segment, 0L)).isEqualTo(42);
            assertThatThrownBy(() -> longs.set(segment, 0, 42L)).isInstanceOf(WrongMethodTypeException.class);
        }
    }

    @Test
    void byteArray_hasNoAlignment() {
        byte[] bytes = {42, 0, 0, 0, 0, 0, 0, 0};
        assertThatIllegalArgumentException().isThrownBy(() -> MemorySegment.ofArray(bytes).get(JAVA_LONG, 0));
        assertThat(MemorySegment.ofArray(new long[1]).get(JAVA_LONG, 0)).isZero();
        try (SlabArena arena = POOL.openConfined()) {
            long value = MemorySegment.ofArray(bytes).get(JAVA_LONG_UNALIGNED, 0);
            MemorySegment aligned = arena.allocate(64, 8);
            aligned.set(JAVA_LONG, 0, value);
            assertThat(aligned.get(JAVA_LONG, 0)).isEqualTo(MemorySegment.ofArray(new byte[]{42}).get(JAVA_BYTE, 0));
        }
    }

    @Test
    void maxByteSize_limitsThePool() {
        SlabPool pool = SlabPool.builder().maxByteSize(64 << 20).build();
        try (pool; SlabArena arena = pool.openConfined()) {
            assertThatThrownBy(() -> arena.allocate(65 << 20)).isInstanceOf(CapacityExceededException.class);
        }
    }
}
