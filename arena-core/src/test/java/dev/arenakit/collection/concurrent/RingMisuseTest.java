package dev.arenakit.collection.concurrent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// What rings and locks by sequence numbers refuse, and what their exceptions say.
class RingMisuseTest {
    private static final RingBuffer.MessageHandler NONE = (_, _, _, _) -> {};

    private final MemorySegment memory = MemorySegment.ofArray(new long[(int) RingBuffer.byteSize(256) / Long.BYTES]);
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[200]);

    @Test
    void open_unsuitableMemory_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RingBuffer.spsc(memory.asReadOnly()))
                .withMessage("Segment is read-only: a ring needs memory that can be written");
        assertThatIllegalArgumentException().isThrownBy(() -> RingBuffer.spsc(MemorySegment.ofArray(new byte[1000])))
                .withMessage("Segment is not aligned: alignment=1, required=8; allocate it with this alignment, or use "
                        + "an array of longs");
        assertThatIllegalArgumentException().isThrownBy(() -> RingBuffer.spsc(memory.asSlice(0, 703)))
                .withMessage("Segment is too small for a ring: byteSize=703, smallest=704");
        assertThatIllegalArgumentException().isThrownBy(() -> RingBuffer.byteSize(96))
                .withMessage("Capacity is not a power of two from 64 to 70368744177664: capacity=96");
        assertThat(RingBuffer.spsc(memory.asSlice(0, 704 + 63)).capacity()).isEqualTo(64);
    }

    @Test
    void open_otherContents_isRefusedAndChangesNothing() {
        for (int word = 0; word < 640 / Long.BYTES; word++) {
            memory.fill((byte) 0).setAtIndex(JAVA_LONG, word, 2);
            byte[] before = memory.toArray(JAVA_BYTE);
            assertThatIllegalStateException().as("word %d", word)
                    .isThrownBy(() -> RingBuffer.mpsc(memory))
                    .withMessageStartingWith("Memory is neither zeroed nor a ring: ");
            assertThat(memory.toArray(JAVA_BYTE)).isEqualTo(before);
        }
    }

    @Test
    void open_anotherKindOrSize_isRefused() {
        RingBuffer ring = RingBuffer.spsc(memory);
        ring.write(1, bytes, 0, 5);
        assertThatIllegalStateException().isThrownBy(() -> RingBuffer.mpsc(memory))
                .withMessage("Ring has another kind: kind=spsc, opened as=mpsc, records=640");
        assertThatIllegalStateException().isThrownBy(() -> RingBuffer.spsc(memory.asSlice(0, 800)))
                .withMessage(
                        "Segment is smaller than its ring: byteSize=800, capacity=256, records=640; pass all memory "
                                + "of the ring");
        assertThat(RingBuffer.spsc(memory).unreadByteSize()).isEqualTo(32);
    }

    @Test
    void claim_tooLarge_namesTheLargestSize() {
        RingBuffer ring = RingBuffer.mpsc(memory);
        assertThat(ring.maxMessageByteSize()).isEqualTo(112);
        assertThatIllegalArgumentException().isThrownBy(() -> ring.claim(113))
                .withMessage("Message is too large: byteSize=113, largest=112, capacity=256");
        assertThatIllegalArgumentException().isThrownBy(() -> ring.write(1, bytes, 0, 113));
        assertThatIllegalArgumentException().isThrownBy(() -> ring.claim(-1)).withMessage("Negative size: byteSize=-1");
        assertThatThrownBy(() -> ring.write(1, bytes, 190, 11)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> ring.poll(NONE, -1))
                .withMessage("Negative limit: limit=-1");
        assertThat(ring.isEmpty()).isTrue();
    }

    @Test
    void commit_withoutAClaim_isRefused() {
        RingBuffer ring = RingBuffer.mpsc(memory);
        long at = ring.claim(40);
        ring.commit(at, 3);
        for (long other : new long[]{RingBuffer.FULL, 0, at + 8, at - 16, Long.MIN_VALUE, Long.MAX_VALUE, at + 256}) {
            assertThatIllegalArgumentException().as("offset %d", other).isThrownBy(() -> ring.commit(other, 1));
        }
        for (long ended : new long[]{at, at + 16, at + 240}) {
            assertThatIllegalStateException().isThrownBy(() -> ring.abort(ended))
                    .withMessage("No claim of this producer is open: offset=" + ended
                            + "; a claim ends with commit, abort or unblock");
        }
        assertThat(ring.poll((type, _, _, _) -> assertThat(type).isEqualTo(3), 9)).isEqualTo(1);
    }

    @Test
    void write_sourceThatCannotBeRead_leavesNoClaim() {
        RingBuffer ring = RingBuffer.mpsc(memory);
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(16);
        }
        assertThatIllegalStateException().isThrownBy(() -> ring.write(1, closed, 0, 16));
        ring.write(2, bytes, 0, 16);
        assertThat(ring.poll((type, _, _, _) -> assertThat(type).isEqualTo(2), 9)).isEqualTo(1);
    }

    @Test
    void poll_handlerThatThrows_countsItsMessageAsRead() {
        RingBuffer ring = RingBuffer.spsc(memory);
        for (int type = 0; type < 4; type++) {
            ring.write(type, bytes, 0, 0);
        }
        List<Integer> types = new ArrayList<>();
        RingBuffer.MessageHandler handler = (type, _, _, _) -> {
            types.add(type);
            if (type == 1) {
                throw new UnsupportedOperationException();
            }
        };
        assertThatThrownBy(() -> ring.poll(handler, 9)).isInstanceOf(UnsupportedOperationException.class);
        assertThat(ring.unreadByteSize()).isEqualTo(32);
        assertThat(ring.poll(handler, 9)).isEqualTo(2);
        assertThat(types).containsExactly(0, 1, 2, 3);
    }

    @Test
    void handler_pollsItsRing_isRefused() {
        RingBuffer ring = RingBuffer.spsc(memory);
        ring.write(1, bytes, 0, 8);
        ring.write(2, bytes, 0, 8);
        assertThatIllegalStateException().isThrownBy(() -> ring.poll((_, _, _, _) -> ring.poll(NONE, 1), 9))
                .withMessage("A poll of this ring is running: a handler must not poll its own ring, and a ring has one "
                        + "reader");
        List<Integer> types = new ArrayList<>();
        ring.poll((type, segment, _, _) -> {
            types.add(type);
            assertThat(segment.isReadOnly()).isTrue();
            if (type == 2) {
                ring.write(3, bytes, 0, 0);
            }
        }, 9);
        assertThat(types).containsExactly(2, 3);
    }

    @Test
    void everyOperation_afterTheEndOfTheMemory_isRefused() {
        RingBuffer ring;
        SequenceLock lock;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment closed = arena.allocate(RingBuffer.byteSize(1024), Long.BYTES);
            ring = RingBuffer.mpsc(closed);
            lock = SequenceLock.of(closed, 0);
        }
        assertThatIllegalStateException().isThrownBy(() -> ring.claim(1));
        assertThatIllegalStateException().isThrownBy(() -> ring.write(1, bytes, 0, 1));
        assertThatIllegalStateException().isThrownBy(() -> ring.poll(NONE, 1));
        assertThatIllegalStateException().isThrownBy(ring::isEmpty);
        assertThatIllegalStateException().isThrownBy(ring::unblock);
        assertThatIllegalStateException().isThrownBy(lock::beginWrite);
        assertThatIllegalStateException().isThrownBy(lock::tryOptimisticRead);
        assertThat(ring.toString()).isEqualTo("RingBuffer: mpsc, capacity=1024");
    }

    @Test
    void park_noPause_isRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> WaitStrategy.park(0))
                .withMessage("Pause is not positive: nanos=0");
    }

    @Test
    void sequenceLock_writesAndReads_areChecked() {
        SequenceLock lock = SequenceLock.of(memory, 8);
        assertThatIllegalStateException().isThrownBy(lock::endWrite).withMessage("No write has begun: sequence=0");
        long before = lock.tryOptimisticRead();
        assertThat(lock.validate(before)).isTrue();
        lock.beginWrite();
        assertThat(lock.validate(before)).isFalse();
        assertThat(lock.validate(lock.tryOptimisticRead())).isFalse();
        assertThatIllegalStateException().isThrownBy(lock::beginWrite)
                .withMessage("A write has begun and has not ended: sequence=1; if its writer is dead, write the whole "
                        + "struct, and call endWrite");
        lock.endWrite();
        assertThat(lock.validate(before)).isFalse();
        assertThat(lock.validate(lock.tryOptimisticRead())).isTrue();
        assertThatThrownBy(() -> lock.read(() -> {
            throw new UnsupportedOperationException();
        })).isInstanceOf(UnsupportedOperationException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> SequenceLock.of(memory, 4))
                .withMessage("Word is not aligned: offset=4, required=8; use another offset, or an array of longs");
        assertThatThrownBy(() -> SequenceLock.of(memory, memory.byteSize() - 4))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void sequenceLock_exceptionFromAMixture_isNotThrown() {
        SequenceLock lock = SequenceLock.of(memory, 0);
        List<String> calls = new ArrayList<>();
        String result = lock.read(() -> {
            calls.add("read");
            if (calls.size() == 1) {
                lock.beginWrite();
                lock.endWrite();
                throw new IndexOutOfBoundsException();
            }
            return "consistent";
        });
        assertThat(result).isEqualTo("consistent");
        assertThat(calls).hasSize(2);
    }
}
