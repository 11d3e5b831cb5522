package dev.arenakit.mapped;

import dev.arenakit.collection.RingBuffer;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Kills producers and readers of a ring in a file. No committed message is lost, read twice or torn.
class RingFileKillTest extends InDirectory {
    private static final Duration LONG = Duration.ofMinutes(5);

    private final List<Producer> producers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private int started;

    RingFileKillTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    /// A process, and the type of its messages.
    private record Producer(int number, Process process) {
        void kill() throws InterruptedException {
            process.destroyForcibly().waitFor();
        }
    }

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    @Test
    void messages_whoseProducersAreKilled_arriveOnce() throws Exception {
        killProducers(3, Duration.ZERO);
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
    private void killProducers(int kills, Duration time) throws Exception {
        Map<Integer, Long> next = new HashMap<>();
        long end = System.nanoTime() + time.toNanos();
        long messages = 0;
        try (Arena arena = Arena.ofConfined();
                RingFile file = RingFile.openOrCreate(RingChild.ring(directory), RingChild.CAPACITY)) {
            MemorySegment committed = RingChild.words(directory, "committed", arena);
            RingBuffer ring = file.newReader();
            while (started < kills + 2 || System.nanoTime() < end) {
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
            long number = RingChild.check(segment, offset, byteSize);
            assertThat(number).as("producer=%d", producer)
                    .isEqualTo(RingChild.expected(next.getOrDefault(producer, 0L)));
            next.put(producer, number + 1);
        }, 100);
    }

    /// All messages that a killed producer has committed arrive, and at most one that it has not reported.
    private static void awaitCommitted(RingBuffer ring, Map<Integer, Long> next, MemorySegment committed,
            int producer) {
        long count = RingChild.word(committed, producer);
        long start = System.nanoTime();
        while (RingChild.expected(next.getOrDefault(producer, 0L)) < count) {
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
                RingFile file = RingFile.openOrCreate(RingChild.ring(directory), RingChild.CAPACITY)) {
            MemorySegment read = RingChild.words(directory, "read", arena);
            MemorySegment committed = RingChild.words(directory, "committed", arena);
            startProducers(2);
            for (int kill = 0; kill < kills || System.nanoTime() < end; kill++) {
                Process reader = start("read");
                awaitRead(reader, read, RingChild.word(read, 0) + 1 + random.nextInt(20_000));
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
                    long number = RingChild.check(segment, offset, byteSize);
                    long known = next.getOrDefault(producer, RingChild.word(read, producer));
                    assertThat(number).isLessThanOrEqualTo(RingChild.expected(known));
                    next.put(producer, Math.max(known, number + 1));
                }, 100);
                assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MINUTES.toNanos(1));
            }
            for (int producer = 0; producer < started; producer++) {
                long known = next.getOrDefault(producer, RingChild.word(read, producer));
                assertThat(RingChild.expected(known))
                        .isGreaterThanOrEqualTo(RingChild.word(committed, producer));
            }
        }
    }

    private static void awaitRead(Process reader, MemorySegment read, long count) throws InterruptedException {
        while (RingChild.word(read, 0) < count) {
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
                .command(RingChild.class, all.toArray(String[]::new))
                .redirectErrorStream(true)
                .start();
        processes.add(process);
        BufferedReader output = process.inputReader();
        assertThat(output.readLine()).isEqualTo("ready");
        return process;
    }
}
