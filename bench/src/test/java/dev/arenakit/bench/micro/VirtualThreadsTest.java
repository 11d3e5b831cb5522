package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class VirtualThreadsTest {
    private final Candidate candidate = new Candidate() {
        private final AtomicInteger opened = new AtomicInteger();

        @Override
        public Arena open() {
            if (opened.incrementAndGet() == 50) {
                throw new UnsupportedOperationException("not in this thread");
            }
            return Arena.ofConfined();
        }
    };

    @Test
    @Timeout(60)
    void manyThreads_oneOfWhichCannotOpenAnArena_failTogether() {
        ManyThreads benchmark = new ManyThreads();
        benchmark.threads = 100;

        assertThatThrownBy(() -> benchmark.arena(candidate)).rootCause().hasMessage("not in this thread");
    }
}
