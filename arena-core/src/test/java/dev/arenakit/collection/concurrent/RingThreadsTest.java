package dev.arenakit.collection.concurrent;

import dev.arenakit.internal.ring.Futex;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Sends messages between threads. No committed message is lost, read twice or torn, and the messages of a producer
/// arrive in the order in which it has claimed their space.
class RingThreadsTest {
    private static final long WAKES = 48;
    private static final long WAITING = 512;
    private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(5);

    @AutoClose
    private final Arena arena = Arena.ofShared();

    /// A producer that commits two of three claims. A message is its number, repeated.
    private static void produce(RingBuffer ring, int producer, int messages) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment own = arena.allocate(200, Integer.BYTES);
            for (int number = 0; number < messages; number++) {
                long byteSize = Integer.BYTES * (1 + (number * 7L + producer) % 13);
                if (number % 3 == 0) {
                    fill(own, 0, byteSize, number);
                    while (!ring.write(producer, own, 0, byteSize)) {
                        LockSupport.parkNanos(1);
                    }
                } else {
                    long at = ring.claim(byteSize);
                    while (at == RingBuffer.FULL) {
                        LockSupport.parkNanos(1);
                        at = ring.claim(byteSize);
                    }
                    if (number % 3 == 1) {
                        fill(ring.segment(), at, byteSize, number);
                        ring.commit(at, producer);
                    } else {
                        fill(ring.segment(), at, byteSize, -1);
                        ring.abort(at);
                    }
                }
            }
        }
    }

    private static void fill(MemorySegment segment, long at, long byteSize, int number) {
        for (long i = 0; i < byteSize; i += Integer.BYTES) {
            segment.set(JAVA_INT, at + i, number);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, 1, 256", "false, 1, 65536", "true, 1, 256", "true, 3, 256", "true, 3, 4096"})
    void messages_ofAllProducers_arriveOnceAndInOrder(boolean hasManyProducers, int producers, int capacity) {
        // Threads that fill a small ring wait for each other often.
        int messages = capacity < 4096 ? 3_000 : 30_000;
        int[] last = new int[producers];
        Arrays.fill(last, -1);
        MemorySegment memory = arena.allocate(RingBuffer.byteSize(capacity), Long.BYTES);
        RingBuffer created = open(memory, hasManyProducers);
        Threads.race(producers + 1, index -> {
            // Each thread has an object of its own, except for the reader and one producer.
            RingBuffer ring = index < 2 ? created : open(memory, hasManyProducers);
            if (index > 0) {
                produce(ring, index - 1, messages);
                return;
            }
            long expected = producers * (messages / 3 * 2L);
            for (long count = 0; count < expected;) {
                int read = ring.poll((producer, segment, offset, byteSize) -> {
                    int number = check(producer, segment, offset, byteSize);
                    assertThat(number).isEqualTo(last[producer] + (last[producer] % 3 == 1 ? 2 : 1));
                    last[producer] = number;
                }, 10, WaitStrategy.park(1_000), TIMEOUT_NANOS);
                assertThat(read).as("messages until the timeout").isPositive();
                count += read;
            }
        });
        assertThat(created.poll((_, _, _, _) -> {}, 10)).isZero();
        assertThat(created.isEmpty()).isTrue();
    }

    private static int check(int producer, MemorySegment segment, long offset, long byteSize) {
        int number = segment.get(JAVA_INT, offset);
        if (byteSize != Integer.BYTES * (1 + (number * 7L + producer) % 13)) {
            throw new AssertionError("number=" + number + ", byteSize=" + byteSize);
        }
        for (long i = 0; i < byteSize; i += Integer.BYTES) {
            if (segment.get(JAVA_INT, offset + i) != number) {
                throw new AssertionError("Torn: number=" + number + ", offset=" + i);
            }
        }
        return number;
    }

    private static RingBuffer open(MemorySegment memory, boolean hasManyProducers) {
        return hasManyProducers ? RingBuffer.mpsc(memory) : RingBuffer.spsc(memory);
    }

    @Test
    void open_byManyThreadsAtOnce_createsOneRing() {
        for (int round = 0; round < 60; round++) {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = arena.allocate(RingBuffer.byteSize(1024), Long.BYTES);
                Threads.race(3, index -> {
                    long at = RingBuffer.mpsc(memory).claim(Integer.BYTES);
                    memory.set(JAVA_INT, at, index);
                    RingBuffer.mpsc(memory).commit(at, index);
                });
                AtomicInteger types = new AtomicInteger();
                int count = RingBuffer.mpsc(memory).poll((type, segment, offset, _) -> {
                    assertThat(segment.get(JAVA_INT, offset)).isEqualTo(type);
                    types.getAndAdd(1 << type);
                }, 10);
                assertThat(count).isEqualTo(3);
                assertThat(types).hasValue(7);
            }
        }
    }

    @Test
    void poll_withAStrategy_waitsForAMessage() {
        for (WaitStrategy strategy : new WaitStrategy[]{WaitStrategy.spin(), WaitStrategy.park(100_000),
                WaitStrategy.futex()}) {
            try (Arena arena = Arena.ofShared()) {
                RingBuffer ring = RingBuffer.spsc(arena.allocate(RingBuffer.byteSize(1024), Long.BYTES));
                Threads.race(2, index -> {
                    if (index == 0) {
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                        ring.commit(ring.claim(0), 7);
                    } else {
                        assertThat(ring.poll((type, _, _, _) -> assertThat(type).isEqualTo(7), 10, strategy,
                                TIMEOUT_NANOS)).isEqualTo(1);
                        Thread.currentThread().interrupt();
                        assertThat(ring.poll((_, _, _, _) -> {}, 10, strategy, TIMEOUT_NANOS)).isZero();
                        assertThat(Thread.interrupted()).isTrue();
                        assertThat(ring.poll((_, _, _, _) -> {}, 10, strategy, 1_000)).isZero();
                    }
                });
            }
        }
    }

    /// A reader that sleeps has set the words `wakes` and `waiting`. Who wakes it stores 0 in `waiting`.
    @Test
    void endOfAClaim_whileTheReaderSleeps_wakesIt() {
        assumeTrue(Futex.isAvailable());
        try (Arena arena = Arena.ofConfined()) {
            for (boolean hasManyProducers : new boolean[]{false, true}) {
                MemorySegment memory = arena.allocate(RingBuffer.byteSize(1024), Long.BYTES);
                RingBuffer ring = open(memory, hasManyProducers);
                List<Runnable> ends = List.of(() -> ring.commit(ring.claim(8), 1), () -> ring.abort(ring.claim(8)),
                        () -> ring.write(1, MemorySegment.ofArray(new long[1]), 0, 8));
                for (Runnable end : ends) {
                    memory.set(JAVA_LONG, WAITING, 1);
                    end.run();
                    assertThat(memory.get(JAVA_LONG, WAITING)).as("no reader has slept yet").isOne();
                }
                memory.set(JAVA_LONG, WAKES, 1);
                for (Runnable end : ends) {
                    memory.set(JAVA_LONG, WAITING, 1);
                    end.run();
                    assertThat(memory.get(JAVA_LONG, WAITING)).isZero();
                }
            }
        }
    }

    @Test
    void poll_withFutex_tellsProducersThatTheReaderHasSlept() {
        assumeTrue(Futex.isAvailable());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(RingBuffer.byteSize(1024), Long.BYTES);
            assertThat(RingBuffer.mpsc(memory).poll((_, _, _, _) -> {}, 1, WaitStrategy.futex(), 1_000)).isZero();
            assertThat(memory.get(JAVA_LONG, WAKES)).isOne();
            assertThat(memory.get(JAVA_LONG, WAITING)).isZero();
        }
    }

    /// Calls `wake` until a thread slept, which nothing else wakes for a second.
    @Test
    void wake_ofAThreadThatSleeps_wakesOne() {
        assumeTrue(Futex.isAvailable());
        MemorySegment word = arena.allocate(JAVA_INT);
        Threads.race(2, index -> {
            if (index == 1) {
                while (word.get(JAVA_INT, 0) == 0) {
                    Futex.await(word, 0, 999_999_999);
                }
                return;
            }
            long start = System.nanoTime();
            while (!Futex.wake(word)) {
                assertThat(System.nanoTime() - start).as("nobody was woken").isLessThan(TIMEOUT_NANOS);
            }
            word.set(JAVA_INT, 0, 1);
            boolean _ = Futex.wake(word);
        });
    }

    @Test
    void futex_overAnArrayAndInAVirtualThread_parks() throws InterruptedException {
        RingBuffer heap = RingBuffer.spsc(MemorySegment.ofArray(new long[200]));
        assertThat(heap.poll((_, _, _, _) -> {}, 1, WaitStrategy.futex(), 1_000_000)).isZero();
        RingBuffer ring = RingBuffer.spsc(arena.allocate(RingBuffer.byteSize(1024), Long.BYTES));
        AtomicInteger read = new AtomicInteger();
        Thread reader = Thread.ofVirtual()
                .start(() -> read.set(ring.poll((_, _, _, _) -> {}, 1, WaitStrategy.futex(), TIMEOUT_NANOS)));
        ring.commit(ring.claim(0), 7);
        reader.join();
        assertThat(read).hasValue(1);
    }

    @Test
    void sequenceLock_readers_seeNoMixture() {
        int writes = 60_000;
        MemorySegment memory = arena.allocate(256, Long.BYTES);
        Threads.race(3, index -> {
            SequenceLock lock = SequenceLock.of(memory, 8);
            if (index == 0) {
                for (int number = 1; number <= writes; number++) {
                    lock.beginWrite();
                    fill(memory, 16, 160, number);
                    lock.endWrite();
                }
                return;
            }
            int[] copy = new int[40];
            int last = 0;
            while (last < writes) {
                int number = lock.read(() -> {
                    MemorySegment.copy(memory, JAVA_INT, 16, copy, 0, 40);
                    // A mixture must not be seen as an exception.
                    return copy[0] == copy[39] ? copy[20] : copy[40];
                });
                assertThat(copy).containsOnly(number);
                assertThat(number).isGreaterThanOrEqualTo(last);
                last = number;
            }
        });
    }
}
