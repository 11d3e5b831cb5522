package dev.arenakit.bench.candidate.peer;

import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;

/// The threads of a benchmark. Each is the thread of a Netty event loop, since Netty's allocators have caches for such
/// threads only.
public final class EventLoopThreads extends DefaultEventExecutorGroup {
    static {
        NettyBuffers.logToTheJdk();
    }

    /// Creates a pool. JMH calls this constructor in the JVMs that have the arguments
    /// `JvmArgs.CUSTOM_THREADS` and `JvmArgs.EVENT_LOOP`.
    ///
    /// @param maxThreads number of threads
    /// @param prefix     prefix of their names
    public EventLoopThreads(int maxThreads, String prefix) {
        // The threads are named like JMH's own threads, so that CpuTimeProfiler recognizes them.
        super(maxThreads, new DefaultThreadFactory(prefix + "-jmh-worker-", true));
    }
}
