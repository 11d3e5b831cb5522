package dev.arenakit.internal.ring;

import dev.arenakit.collection.concurrent.RingBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.internal.ring.RingFormat.LONG;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Random bytes as a ring, and what producers leave that end at any store.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RingDamageTest {
    private static final long RECORDS = RingFormat.HEADER_BYTE_SIZE;
    private static final int CAPACITY = 1024;

    private final MemorySegment memory = MemorySegment.ofArray(
            new long[(int) (RingFormat.HEADER_BYTE_SIZE + CAPACITY) / Long.BYTES]);
    private final MemorySegment bytes = MemorySegment.ofArray(new byte[CAPACITY]);

    @Test
    void open_randomHeader_isRefused() {
        Random random = new Random(1);
        RingBuffer.spsc(memory);
        MemorySegment header = MemorySegment.ofArray(memory.asSlice(0, 48).toArray(JAVA_LONG));
        for (int round = 0; round < 20_000; round++) {
            memory.copyFrom(header);
            int at = random.nextInt(48);
            byte before = memory.get(JAVA_BYTE, at);
            memory.set(JAVA_BYTE, at, (byte) random.nextInt());
            if (memory.get(JAVA_BYTE, at) != before) {
                assertThatIllegalStateException().isThrownBy(() -> RingBuffer.spsc(memory));
            }
        }
    }

    @Test
    @Tag("full")
    void anyOperation_randomContents_endsOrThrows() {
        Random random = new Random(2);
        int damaged = 0;
        int read = 0;
        for (int round = 0; round < 20_000; round++) {
            memory.fill((byte) 0);
            RingBuffer ring = round % 2 == 0 ? RingBuffer.spsc(memory) : RingBuffer.mpsc(memory);
            long key = (long) LONG.get(memory, RingFormat.KEY);
            long head = position(random);
            LONG.set(memory, RingFormat.HEAD, head);
            LONG.set(memory, RingFormat.HEAD_COPY, random.nextBoolean() ? head : position(random));
            LONG.set(memory, RingFormat.TAIL,
                    random.nextBoolean() ? head + random.nextInt(65) * 16L : position(random));
            for (long at = 0; at < CAPACITY; at += Long.BYTES) {
                memory.set(JAVA_LONG, RECORDS + at, random.nextLong());
            }
            // Records with right stamps and random descriptions.
            for (long at = head & -16; at < (head & -16) + CAPACITY; at += 16L * (1 + random.nextInt(4))) {
                long place = RECORDS + (at & (CAPACITY - 1));
                LONG.set(memory, place, at ^ key);
                LONG.set(memory, place + 8,
                        random.nextInt(8) == 0 ? random.nextLong() : random.nextLong(4) << 30 | random.nextInt(64));
            }
            for (int i = 0; i < 10; i++) {
                try {
                    switch (random.nextInt(4)) {
                        case 0 -> ring.write(1, bytes, 0, random.nextInt(497));
                        case 1 -> {
                            long at = ring.claim(random.nextInt(497));
                            if (at > 0) {
                                ring.commit(at, 1);
                            }
                        }
                        case 2 -> read += ring.poll((_, segment, offset, byteSize) -> segment.asSlice(offset, byteSize)
                                .mismatch(bytes), 1 + random.nextInt(100));
                        default -> ring.unblock();
                    }
                    assertThat(ring.unreadByteSize()).isBetween(0L, (long) CAPACITY);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("damaged");
                    damaged++;
                }
            }
        }
        assertThat(damaged).isGreaterThan(1_000);
        assertThat(read).isGreaterThan(1_000);
    }

    private static long position(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextLong();
            case 1 -> random.nextLong() & -16;
            default -> random.nextLong(1L << 40) & -16;
        };
    }

    /// Leaves what a producer has stored that ends after each of its stores, and lets others continue.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void unblock_producerThatEndedAfterAnyStore_skipsItsClaim(int stores) {
        for (int first = 0; first < 70; first++) {
            memory.fill((byte) 0);
            RingBuffer ring = RingBuffer.mpsc(memory);
            long key = (long) LONG.get(memory, RingFormat.KEY);
            // Old messages that contain words of any value, and positions in all parts of the memory.
            for (int i = 0; i < first; i++) {
                bytes.fill((byte) i);
                assertThat(ring.write(i, bytes, 0, 32)).isTrue();
                assertThat(ring.poll((_, _, _, _) -> {}, 1)).isEqualTo(1);
            }
            long tail = (long) LONG.get(memory, RingFormat.TAIL);
            long index = tail % CAPACITY;
            long length = 16 * 20;
            long padding = index + length > CAPACITY ? CAPACITY - index : 0;
            if (stores > 0) {
                LONG.set(memory, RingFormat.TAIL, tail + padding + length);
            }
            if (stores > 1 && padding > 0) {
                stamp(memory, RECORDS + index, tail ^ key, RingFormat.SKIPPED | (padding - 16));
            }
            long position = tail + padding;
            long at = RECORDS + position % CAPACITY;
            if (stores > 2) {
                LONG.set(memory, at + 8, RingFormat.CLAIMED | (length - 16));
            }
            if (stores > 3) {
                LONG.set(memory, at, position ^ key);
            }
            if (stores > 4) {
                LONG.set(memory, at + 8, RingFormat.COMMITTED | (length - 16) | 77L << 32);
            }
            bytes.fill((byte) 5);
            assertThat(ring.write(78, bytes, 0, 100)).isTrue();
            assertThat(ring.write(79, bytes, 0, 0)).isTrue();

            List<Integer> types = new ArrayList<>();
            for (int unblocked = 0; unblocked < 3; unblocked++) {
                ring.poll((type, segment, offset, byteSize) -> {
                    types.add(type);
                    assertThat(byteSize).isEqualTo(type == 77 ? length - 16 : type == 78 ? 100 : 0);
                    assertThat(
                            type == 77 || segment.asSlice(offset, byteSize).mismatch(bytes.asSlice(0, byteSize)) == -1)
                            .isTrue();
                }, 9);
                if (stores == 0 || stores == 5) {
                    assertThat(ring.unblock()).isFalse();
                } else if (unblocked == 0) {
                    assertThat(ring.unblock()).isTrue();
                } else {
                    ring.unblock();
                }
            }
            if (stores == 5) {
                assertThat(types).containsExactly(77, 78, 79);
            } else {
                assertThat(types).containsExactly(78, 79);
            }
            assertThat(ring.isEmpty()).isTrue();
        }
    }

    @Test
    void open_unfinishedHeader_isCompleted() {
        RingBuffer.mpsc(memory);
        long[] header = memory.asSlice(0, 48).toArray(JAVA_LONG);
        // The key is stored first, and the magic last.
        int[] order = {4, 1, 2, 3, 5};
        for (int stored = 0; stored <= order.length; stored++) {
            memory.fill((byte) 0);
            for (int i = 0; i < stored; i++) {
                memory.setAtIndex(JAVA_LONG, order[i], header[order[i]]);
            }
            assertThat(RingBuffer.mpsc(memory).write(1, bytes, 0, 8)).isTrue();
            assertThat(RingBuffer.mpsc(memory).poll((_, _, _, _) -> {}, 9)).isEqualTo(1);
            assertThat((long) LONG.get(memory, RingFormat.KEY) == header[4]).isEqualTo(stored > 0);
        }
    }

    private static void stamp(MemorySegment segment, long at, long stamp, long description) {
        RingFormat.LONG.set(segment, at + RingFormat.DESCRIPTION, description);
        RingFormat.LONG.set(segment, at, stamp);
    }
}
