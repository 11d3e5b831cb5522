package dev.arenakit.mapped.io;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.internal.file.AddressRange;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.ProcessMaps;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.mapped.io.WindowKind.WINDOW;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests windows that several threads use.
@ParameterizedClass
@EnumSource(value = WindowKind.class, names = ".*_SHARED", mode = EnumSource.Mode.MATCH_ALL)
class MappedWindowsThreadsTest extends InDirectory {
    private static final int THREADS = 6;
    private static final int WINDOWS = 12;
    private static final long LEAST_LEASES = 50;

    private final WindowKind kind;
    private final Path file = directory.resolve("file");

    MappedWindowsThreadsTest(WindowKind kind) throws IOException {
        super(TestFileSystem.BUILD);
        this.kind = kind;
        ByteBuffer numbers = ByteBuffer.allocate((int) (WINDOWS * WINDOW)).order(ByteOrder.nativeOrder());
        while (numbers.hasRemaining()) {
            numbers.putLong(numbers.position());
        }
        Files.write(file, numbers.array());
    }

    @Test
    void lease_fromManyThreads_alwaysHasTheBytesOfTheRange() throws IOException {
        try (MappedWindows windows = kind.builder(file).open()) {
            Threads.race(THREADS, thread -> scan(windows, new SplittableRandom(thread)));
            assertThat(windows.mappedByteSize()).isLessThanOrEqualTo(4 * WINDOW);
        }
        assertThat(ProcessMaps.of(file)).isEmpty();
    }

    /// Leases until enough leases have succeeded. All others are refused because other threads have leased all windows.
    private static void scan(MappedWindows windows, SplittableRandom random) {
        long leases = 0;
        for (int i = 0; i < 100 || leases < LEAST_LEASES; i++) {
            long offset = random.nextLong(WINDOWS * WINDOW / 8 - 1) * 8;
            if (random.nextInt(10) == 0) {
                Thread.currentThread().interrupt();
            }
            try (MappedWindow first = random.nextInt(20) == 0
                    ? windows.leaseShared(offset, 16)
                    : windows.lease(offset, 16);
                    MappedWindow second = windows.lease(offset + 8, 8)) {
                MemorySegment segment = first.segment();
                assertThat(segment.get(JAVA_LONG, 0)).isEqualTo(offset);
                assertThat(segment.get(JAVA_LONG, 8)).isEqualTo(offset + 8);
                assertThat(second.segment().get(JAVA_LONG, 0)).isEqualTo(offset + 8);
                leases++;
            } catch (CapacityExceededException e) {
                assertThat(e.used()).isPositive();
                Thread.onSpinWait();
            }
        }
        Thread.interrupted();
    }

    @Test
    void lease_whileInterruptedAgainAndAgain_succeeds() throws Exception {
        assumeTrue(AddressRange.isKnownFor(directory), "needs a list of mappings");
        Thread leaser = Thread.currentThread();
        AtomicBoolean done = new AtomicBoolean();
        try (MappedWindows windows = kind.builder(file).open();
                ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread::new)) {
            Future<?> interrupter = executor.submit(() -> {
                while (!done.get()) {
                    leaser.interrupt();
                    Thread.onSpinWait();
                }
            });
            try {
                // On a busy machine, the first interrupt may come late.
                for (int i = 0; i < 500 || !leaser.isInterrupted(); i++) {
                    long offset = i % WINDOWS * WINDOW;
                    try (MappedWindow window = windows.lease(offset, 8)) {
                        assertThat(window.segment().get(JAVA_LONG, 0)).isEqualTo(offset);
                    }
                }
            } finally {
                done.set(true);
                while (!interrupter.isDone()) {
                    Thread.onSpinWait();
                }
                assertThat(Thread.interrupted()).isTrue();
            }
        }
        if (kind.isCached()) {
            // An interrupt makes FileChannel.map forget a mapping that it has just made.
            assertThat(ProcessMaps.of(file)).isEmpty();
        }
    }

    @Test
    @Tag("full")
    void close_whileOthersLease_isRefusedOrEndsAll() throws Exception {
        for (int round = 0; round < 50; round++) {
            MappedWindows windows = kind.builder(file).open();
            try (ExecutorService executor = Executors.newThreadPerTaskExecutor(Thread::new)) {
                Future<?> other = executor.submit(() -> assertThatIllegalStateException().isThrownBy(() -> {
                    while (true) {
                        try (MappedWindow window = windows.lease(WINDOW, 8)) {
                            assertThat(window.segment().get(JAVA_LONG, 0)).isEqualTo(WINDOW);
                        }
                    }
                }).withMessage("Already closed"));
                boolean closed = false;
                while (!closed) {
                    try {
                        windows.close();
                        closed = true;
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("openLeases=1");
                    }
                }
                other.get();
            }
            assertThat(MappingLimit.used()).isEqualTo(mappingsBefore);
        }
    }

    @Test
    void close_ofOneSharedLeaseByManyThreads_succeedsOnce() throws IOException {
        try (MappedWindows windows = kind.builder(file).open()) {
            for (int round = 0; round < 20; round++) {
                MappedWindow window = windows.leaseShared(0, 8);
                AtomicInteger closed = new AtomicInteger();
                Threads.race(3, _ -> {
                    try {
                        window.close();
                        closed.getAndIncrement();
                    } catch (IllegalStateException _) {
                        // Another thread was faster.
                    }
                });
                assertThat(closed).hasValue(1);
            }
        }
    }
}
