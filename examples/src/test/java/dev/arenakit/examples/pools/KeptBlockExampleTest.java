package dev.arenakit.examples.pools;

import dev.arenakit.examples.CapturedOutput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class KeptBlockExampleTest {
    @Test
    void run_aRequestThatIsRefused_leavesNoAnswer() {
        CapturedOutput printed = new CapturedOutput();
        KeptBlockExample.run(printed.stream());
        assertThat(printed).hasToString("""
                answer to small
                refused; bytes of answers: 0
                """);
    }
}
