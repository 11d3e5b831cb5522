package dev.arenakit.bench;

import dev.arenakit.bench.candidate.SetupTime;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CpuTimeProfilerTest {
    private static final long BURN_NANOS = 30_000_000;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final CountDownLatch burnt = new CountDownLatch(3);
    private final CountDownLatch end = new CountDownLatch(1);

    @Test
    void workersCpuTime_withWorkersAndOthers_isThatOfTheWorkers() throws InterruptedException {
        AtomicLong workers = new AtomicLong();
        AtomicLong others = new AtomicLong();
        long before = CpuTimeProfiler.workersCpuTime();
        start("benchmark-jmh-worker-1", workers);
        start("benchmark-jmh-worker-2", workers);
        start("compiler", others);
        burnt.await();

        long counted = CpuTimeProfiler.workersCpuTime() - before;

        end.countDown();
        assertThat(counted).isBetween(workers.get(), workers.get() + others.get());
    }

    @Test
    void setup_betweenTwoOperations_isNotPartOfThem() {
        SetupTime.take();
        long before = threads.getCurrentThreadCpuTime();
        SetupTime.run(() -> {
            while (threads.getCurrentThreadCpuTime() - before < BURN_NANOS) {
                Thread.onSpinWait();
            }
        });
        long all = threads.getCurrentThreadCpuTime() - before;

        assertThat(SetupTime.take()).isBetween(BURN_NANOS / 2, all);
        assertThat(SetupTime.take()).isZero();
    }

    @Test
    void workersCpuTime_withAVirtualThread_isThatOfItsCarrier() throws InterruptedException {
        long before = CpuTimeProfiler.workersCpuTime();

        // The loop ends only if the profiler counts the thread's own work.
        Thread.ofVirtual().name("benchmark-jmh-worker-1").start(() -> {
            while (CpuTimeProfiler.workersCpuTime() - before < BURN_NANOS) {
                Thread.onSpinWait();
            }
        }).join();

        assertThat(CpuTimeProfiler.workersCpuTime() - before).isGreaterThanOrEqualTo(BURN_NANOS);
    }

    /// Uses CPU time, reports the used time, and keeps the thread alive, since the CPU time of a terminated thread
    /// cannot be read.
    private void start(String name, AtomicLong used) {
        Thread.ofPlatform().name(name).daemon().start(() -> {
            while (threads.getCurrentThreadCpuTime() < BURN_NANOS) {
                Thread.onSpinWait();
            }
            used.addAndGet(threads.getCurrentThreadCpuTime());
            burnt.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
