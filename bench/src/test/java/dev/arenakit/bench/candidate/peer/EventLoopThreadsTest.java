package dev.arenakit.bench.candidate.peer;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventLoopThreadsTest {
    @Test
    void threads_areThoseOfEventLoopsAndNamedAsJmhs() throws Exception {
        EventLoopThreads threads = new EventLoopThreads(1, "mine");
        try {
            // Netty's allocators ask for both.
            assertThat(threads.submit(() -> ThreadExecutorMap.currentExecutor() != null).get()).isTrue();
            assertThat(threads.submit(FastThreadLocalThread::currentThreadWillCleanupFastThreadLocals).get()).isTrue();
            assertThat(threads.submit(() -> Thread.currentThread().getName()).get()).startsWith("mine-jmh-worker-");
        } finally {
            threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
