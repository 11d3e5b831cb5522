package dev.arenakit.bench.candidate;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/// The threads of a benchmark, each of which is that of an event loop of Netty: its allocators have a cache for each
/// such thread, and none for other threads.
public final class EventLoopThreads extends DefaultEventExecutorGroup {
    static {
        NettyBuffers.logToTheJdk();
    }

    /// Creates a pool. JMH calls this constructor in the JVMs that have the arguments
    /// [JvmArgs#CUSTOM_THREADS] and [JvmArgs#EVENT_LOOP].
    ///
    /// @param maxThreads number of threads
    /// @param prefix     prefix of their names
    public EventLoopThreads(int maxThreads, String prefix) {
        // The names are those of JMH's own threads, by which CpuTimeProfiler recognizes them.
        super(maxThreads, new DefaultThreadFactory(prefix + "-jmh-worker-", true));
    }
}
