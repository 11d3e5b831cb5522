package dev.arenakit.examples.structures;

import dev.arenakit.examples.CapturedOutput;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StructuresExampleTest {
    @Test
    void run_printsWhatTheMapsHold() {
        CapturedOutput printed = new CapturedOutput();
        StructuresExample.run(printed.stream());
        assertThat(printed).hasToString("""
                4711: 7
                error: 2
                Position[quantity=4, price=9.6]
                """);
    }
}
