package dev.arenakit.bench.candidate;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.atomic.AtomicLong;

/// The CPU time of a benchmark's work between two operations, such as allocating the blocks that the next operation
/// frees.
///
/// JMH itself subtracts this work from the wall time only.
public final class SetupTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final AtomicLong NANOS = new AtomicLong();

    private SetupTime() {}

    /// Runs a setup on the benchmark's thread.
    ///
    /// @param setup the setup
    public static void run(Runnable setup) {
        long before = THREADS.getCurrentThreadCpuTime();
        setup.run();
        NANOS.addAndGet(THREADS.getCurrentThreadCpuTime() - before);
    }

    /// {@return the CPU time of all setups since the last call, in nanoseconds}
    public static long take() {
        return NANOS.getAndSet(0);
    }
}
