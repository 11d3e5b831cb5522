package dev.arenakit.bench.candidate;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// The threads of a benchmark, created as Netty creates those of an event loop: its allocators have a cache for each
/// such thread, and none for other threads.
public final class EventLoopThreads extends ThreadPoolExecutor {
    /// Creates a pool. JMH calls this constructor in the JVMs that have the arguments
    /// [JvmArgs#CUSTOM_THREADS] and [JvmArgs#EVENT_LOOP].
    ///
    /// @param maxThreads number of threads
    /// @param prefix     prefix of their names
    public EventLoopThreads(int maxThreads, String prefix) {
        AtomicInteger created = new AtomicInteger();
        // The names are those of JMH's own threads, by which CpuTimeProfiler recognizes them.
        super(maxThreads, maxThreads, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new FastThreadLocalThread(task, prefix + "-jmh-worker-" + created.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
