package dev.arenakit.examples.shared;

import dev.arenakit.examples.CapturedOutput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RingBufferExampleTest {
    @Test
    void run_ordersOfTwoThreads_arriveOnceAndInOrder() {
        CapturedOutput printed = new CapturedOutput();
        RingBufferExample.run(printed.stream(), 100_000);
        assertThat(printed).hasToString("200,000 orders of two threads have arrived.\n");
    }
}
