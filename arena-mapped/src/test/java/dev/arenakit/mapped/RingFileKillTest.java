package dev.arenakit.mapped;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Kills producers and readers of a ring in a file. No committed message is lost, read twice or torn. Takes some
/// seconds: a JVM is started for each process that is killed.
class RingFileKillTest extends InDirectory {
    private static final Duration LONG = Duration.ofMinutes(5);
    private final List<Producer> producers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private int started;

    /// A process, and the type of its messages.
    private record Producer(int number, Process process) {
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    @BeforeEach
    void checkSystem() {
        assumeTrue(DescriptionLock.isAvailableFor(base), "needs locks of open file descriptions");
    }

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void messages_whoseProducersAreKilled_arriveOnce() throws Exception {
        killProducers(2, Duration.ZERO);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void messages_whoseProducersAreKilledForFiveMinutes_arriveOnce() throws Exception {
        killProducers(0, LONG);
    }

    @Test
    @Tag("full")
    void messages_whoseReadersAreKilled_arrive() throws Exception {
        killReaders(2, Duration.ZERO);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void messages_whoseReadersAreKilledForFiveMinutes_arrive() throws Exception {
        killReaders(0, LONG);
    }

    /// Reads in this process, while two producers at a time are killed and replaced.
    ///
    /// @param count the least number of producers
    private void killProducers(int count, Duration time) throws Exception {
        Map<Integer, Long> next = new HashMap<>();
        long end = System.nanoTime() + time.toNanos();
        long messages = 0;
        try (Arena arena = Arena.ofConfined();
                RingFile file = RingFile.openOrCreate(Child.ring(directory), Child.CAPACITY)) {
            MemorySegment committed = Child.words(directory, "committed", arena);
            RingBuffer ring = file.newReader();
            while (started < count || System.nanoTime() < end) {
                startProducers(2);
                Producer killed = producers.remove(random.nextInt(producers.size()));
                long least = next.getOrDefault(killed.number, 0L) + random.nextInt(20_000);
                while (next.getOrDefault(killed.number, 0L) < least) {
                    messages += read(ring, next);
                    assertThat(killed.process.isAlive()).isTrue();
                }
                killed.process.destroyForcibly();
                while (killed.process.isAlive()) {
                    messages += read(ring, next);
                }
                awaitCommitted(ring, next, committed, killed.number);
            }
            for (Producer producer : producers) {
                producer.kill();
                awaitCommitted(ring, next, committed, producer.number);
            }
            long start = System.nanoTime();
            while (!ring.isEmpty()) {
                read(ring, next);
                assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
            }
            System.out.println("ring: killed producers=" + started + ", messages=" + messages + ", skipped claims="
                    + file.skippedClaims());
            // A claim that was interrupted behind its padding counts twice.
            assertThat(file.skippedClaims()).isLessThanOrEqualTo(2L * started);
            assertThat(messages).isPositive();
        }
    }

    private static int read(RingBuffer ring, Map<Integer, Long> next) {
        return ring.poll((producer, segment, offset, byteSize) -> {
            long number = Child.check(segment, offset, byteSize);
            assertThat(number).as("producer=%d", producer)
                    .isEqualTo(Child.expected(next.getOrDefault(producer, 0L)));
            next.put(producer, number + 1);
        }, 100);
    }

    /// All messages that a killed producer has committed arrive, and at most one that it has not reported.
    private static void awaitCommitted(RingBuffer ring, Map<Integer, Long> next, MemorySegment committed,
            int producer) {
        long count = Child.word(committed, producer);
        long start = System.nanoTime();
        while (Child.expected(next.getOrDefault(producer, 0L)) < count) {
            read(ring, next);
            assertThat(System.nanoTime() - start).as("producer=%d, committed=%d, next=%s", producer, count, next)
                    .isLessThan(TimeUnit.MINUTES.toNanos(1));
        }
        assertThat(next.getOrDefault(producer, 0L)).isLessThanOrEqualTo(count + 1);
    }

    /// Readers are killed and replaced, while two producers go on.
    private void killReaders(int kills, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        try (Arena arena = Arena.ofConfined();
                RingFile file = RingFile.openOrCreate(Child.ring(directory), Child.CAPACITY)) {
            MemorySegment read = Child.words(directory, "read", arena);
            MemorySegment committed = Child.words(directory, "committed", arena);
            startProducers(2);
            for (int kill = 0; kill < kills || System.nanoTime() < end; kill++) {
                Process reader = start("read");
                awaitRead(reader, read, Child.word(read, 0) + 1 + random.nextInt(20_000));
                reader.destroyForcibly().waitFor();
            }
            for (Producer producer : producers) {
                producer.kill();
            }
            Map<Integer, Long> next = new HashMap<>();
            RingBuffer ring = file.newReader();
            long start = System.nanoTime();
            while (!ring.isEmpty()) {
                ring.poll((producer, segment, offset, byteSize) -> {
                    long number = Child.check(segment, offset, byteSize);
                    long known = next.getOrDefault(producer, Child.word(read, producer));
                    assertThat(number).isLessThanOrEqualTo(Child.expected(known));
                    next.put(producer, Math.max(known, number + 1));
                }, 100);
                assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
            }
            for (int producer = 0; producer < started; producer++) {
                long known = next.getOrDefault(producer, Child.word(read, producer));
                assertThat(Child.expected(known))
                        .isGreaterThanOrEqualTo(Child.word(committed, producer));
            }
        }
    }

    private static void awaitRead(Process reader, MemorySegment read, long count) throws InterruptedException {
        while (Child.word(read, 0) < count) {
            assertThat(reader.isAlive()).isTrue();
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private void startProducers(int count) throws IOException {
        while (producers.size() < count) {
            producers.add(new Producer(started, start("produce", Integer.toString(started))));
            started++;
        }
    }

    private Process start(String role, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(role, directory.toString()));
        all.addAll(List.of(arguments));
        Process process = ChildJvm.granted(random.nextBoolean() ? "-Xint" : "-XX:TieredStopAtLevel=1")
                .command(Child.class, all.toArray(String[]::new))
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        BufferedReader output = process.inputReader();
        assertThat(output.readLine()).isEqualTo("ready");
        return process;
    }

    /// A process that sends messages to a ring in a file, or reads them, until it is killed.
    ///
    /// Each producer has a number, which is the type of its messages. A message is the number of the message, repeated. A file
    /// has a word for each producer: how many messages it has committed, or how many were read.
    static final class Child {
        static final int CAPACITY = 1 << 13;
        static final int PRODUCERS = 1 << 16;
        private static final VarHandle WORD = JAVA_LONG.varHandle().withInvokeExactBehavior();

        private Child() {}

        /// Does what its first argument says.
        ///
        /// @param arguments "produce", "read" or "full"; the directory; and the number of the producer
        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            Path directory = Path.of(arguments[1]);
            if (arguments[0].equals("full")) {
                fill(ring(directory));
                return;
            }
            RingFile file = RingFile.openOrCreate(ring(directory), CAPACITY);
            if (arguments[0].equals("produce")) {
                produce(file.newProducer(), Integer.parseInt(arguments[2]),
                        words(directory, "committed", Arena.global()));
            } else {
                read(file.newReader(), words(directory, "read", Arena.global()));
            }
        }

        static Path ring(Path directory) {
            return directory.resolve("ring");
        }

        static MemorySegment words(Path directory, String name, Arena arena) throws IOException {
            try (FileChannel channel = FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE,
                    StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) PRODUCERS * Long.BYTES, arena);
            }
        }

        static long word(MemorySegment words, int producer) {
            return (long) WORD.getAcquire(words, (long) producer * Long.BYTES);
        }

        /// Creates a ring for which the disk has no room, and a smaller one.
        private static void fill(Path path) throws IOException {
            try (RingFile file = RingFile.create(path, 1 << 20)) {
                System.out.println("created: " + file.path());
            } catch (DiskFullException _) {
                System.out.println("full, file=" + Files.exists(path));
            }
            try (RingFile file = RingFile.create(path, 1 << 16)) {
                System.out.println("capacity=" + file.capacity());
            }
        }

        private static void produce(RingBuffer ring, int producer, MemorySegment committed) {
            System.out.println("ready");
            for (long number = 0;; number++) {
                long byteSize = Long.BYTES * (1 + number * 7 % 40);
                long at = ring.claim(byteSize);
                while (at == RingBuffer.FULL) {
                    LockSupport.parkNanos(20_000);
                    at = ring.claim(byteSize);
                }
                for (long i = 0; i < byteSize; i += Long.BYTES) {
                    ring.segment().set(JAVA_LONG, at + i, number);
                }
                if (number % 10 == 3) {
                    // So that some producers are killed here.
                    LockSupport.parkNanos(20_000);
                }
                if (number % 5 == 4) {
                    ring.abort(at);
                    // An aborted message is not sent again, and not expected.
                } else {
                    ring.commit(at, producer);
                }
                WORD.setRelease(committed, (long) producer * Long.BYTES, number + 1);
            }
        }

        private static void read(RingBuffer ring, MemorySegment read) {
            System.out.println("ready");
            while (true) {
                ring.poll((producer, segment, offset, byteSize) -> {
                    long next = word(read, producer);
                    long number = check(segment, offset, byteSize);
                    if (number > expected(next)) {
                        System.out.println("Lost: producer=" + producer + ", expected=" + next + ", read=" + number);
                        System.exit(1);
                    }
                    // Messages of a poll that was not completed are read again.
                    if (number >= next) {
                        WORD.setRelease(read, (long) producer * Long.BYTES, number + 1);
                    }
                }, 10, WaitStrategy.futex(), 1_000_000_000);
            }
        }

        /// The number of the first message from a number on that is not aborted.
        static long expected(long number) {
            return number % 5 == 4 ? number + 1 : number;
        }

        /// Checks that a message is whole.
        ///
        /// @return its number
        static long check(MemorySegment segment, long offset, long byteSize) {
            long number = segment.get(JAVA_LONG, offset);
            for (long i = 0; i < byteSize; i += Long.BYTES) {
                if (segment.get(JAVA_LONG, offset + i) != number) {
                    throw new AssertionError(
                            "torn: number=" + number + ", other=" + segment.get(JAVA_LONG, offset + i));
                }
            }
            if (byteSize != Long.BYTES * (1 + number * 7 % 40)) {
                throw new AssertionError("another size: number=" + number + ", byteSize=" + byteSize);
            }
            return number;
        }
    }
}
