package dev.arenakit.bench.candidate;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EventLoopThreadsTest {
    @Test
    void threads_areTakenForThoseOfAnEventLoopAndForJmhs() throws Exception {
        Callable<Boolean> isEventLoop = FastThreadLocalThread::currentThreadWillCleanupFastThreadLocals;
        Callable<String> name = () -> Thread.currentThread().getName();

        try (EventLoopThreads threads = new EventLoopThreads(1, "mine")) {
            assertThat(threads.invokeAll(List.of(isEventLoop))).singleElement().matches(done -> done.resultNow());
            assertThat(threads.invokeAll(List.of(name))).singleElement()
                    .matches(done -> done.resultNow().startsWith("mine-jmh-worker-"));
        }
        assertThat(isEventLoop.call()).isFalse();
    }
}
