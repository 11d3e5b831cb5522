package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.collection.LongLongMap;
import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2LongCounterMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs both columns of the section "Agrona" of `docs/migration.md`.
class FromAgronaTest {
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED;
    private static final LongField COUNT = RecordMapper.of(MethodHandles.lookup(), Counter.class).longField("count");
    private static final int TYPE = 7;

    private final SlabPool pool = SlabPool.create();
    private final SlabArena arena = pool.openConfined();

    record Counter(long count) {}

    @AfterEach
    void close() {
        arena.close();
        pool.close();
    }

    private static void assertSameBytes(MemorySegment here, UnsafeBuffer there) {
        assertThat(here.mismatch(MemorySegment.ofBuffer(there.byteBuffer()))).isEqualTo(-1);
    }

    @Test
    void rows_areTested() throws IOException {
        Guide.section("Agrona", FromAgronaTest.class).assertRowsAreTested();
    }

    @Test
    void put_writesTheSameBytes() {
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
        MemorySegment segment = arena.allocate(64);
        buffer.putLong(8, 42);
        segment.set(LONG, 8, 42);
        assertSameBytes(segment, buffer);
        assertThatThrownBy(() -> buffer.putLong(60, 42)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> segment.set(LONG, 60, 42)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void getAndAdd_returnsTheOldValue() {
        UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
        MemorySegment segment = arena.allocate(64, 8);
        long there = buffer.getAndAddLong(0, 1);
        long here = COUNT.getAndAdd(segment, 0, 1);
        assertThat(here).isEqualTo(there);
        assertSameBytes(segment, buffer);
        assertThatThrownBy(() -> COUNT.getAndAdd(segment, 4, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void map_returnsTheMissingValue() {
        List<Long> there;
        {
            Long2LongHashMap map = new Long2LongHashMap(-1);
            map.put(2, 10);
            there = List.of(map.get(1), map.get(2));
            assertThatThrownBy(() -> map.put(1, -1)).isInstanceOf(IllegalArgumentException.class);
        }
        try (LongLongMap map = LongLongMap.owning(MallocArena::ofConfined)) {
            map.put(2, 10);
            assertThat(List.of(map.get(1, -1), map.get(2, -1))).isEqualTo(there);
            map.put(1, -1);
            assertThat(map.get(1, -1)).isEqualTo(-1);
            assertThat(map.containsKey(1)).isTrue();
        }
    }

    @Test
    void counter_returnsTheNewValue() {
        long there;
        {
            Long2LongCounterMap counts = new Long2LongCounterMap(0);
            there = counts.addAndGet(1, 5);
            counts.addAndGet(1, -5);
            assertThat(counts.containsKey(1)).isFalse();
        }
        try (LongLongMap counts = LongLongMap.owning(MallocArena::ofConfined)) {
            long here = counts.addTo(1, 5);
            assertThat(here).isEqualTo(there);
            counts.addTo(1, -5);
            assertThat(counts.containsKey(1)).isTrue();
        }
    }

    @Test
    void ring_handlesAllMessages() {
        List<String> there = new ArrayList<>();
        {
            UnsafeBuffer memory = new UnsafeBuffer(
                    ByteBuffer.allocateDirect(1024 + RingBufferDescriptor.TRAILER_LENGTH));
            OneToOneRingBuffer ring = new OneToOneRingBuffer(memory);
            UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
            buffer.putLong(0, 42);
            assertThat(ring.write(TYPE, buffer, 0, 8)).isTrue();
            int at = ring.tryClaim(TYPE, 8);
            ring.buffer().putLong(at, 43);
            ring.commit(at);
            assertThatThrownBy(() -> ring.write(-1, buffer, 0, 8)).isInstanceOf(IllegalArgumentException.class);
            MessageHandler handler = (type, bytes, offset, _) -> there.add(type + ": " + bytes.getLong(offset));
            assertThat(ring.read(handler, 10)).isEqualTo(2);
        }
        List<String> here = new ArrayList<>();
        MemorySegment memory = arena.allocate(RingBuffer.byteSize(1024), 8);
        RingBuffer ring = RingBuffer.spsc(memory);
        MemorySegment segment = arena.allocateFrom(LONG, 42);
        assertThat(ring.write(TYPE, segment, 0, 8)).isTrue();
        long at = ring.claim(8);
        ring.segment().set(LONG, at, 43);
        ring.commit(at, TYPE);
        RingBuffer.MessageHandler handler = (type, bytes, offset, _) -> here.add(type + ": " + bytes.get(LONG, offset));
        assertThat(ring.poll(handler, 10)).isEqualTo(2);
        assertThat(here).isEqualTo(there).containsExactly("7: 42", "7: 43");
        assertThat(ring.write(-1, segment, 0, 8)).isTrue();
    }
}
