package dev.arenakit.examples.pools;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BudgetExampleTest {
    @Test
    void run_printsTheMessageOfThePage() throws IOException {
        CapturedOutput output = new CapturedOutput();
        BudgetExample.run(output.stream());
        String message = Page.read(Path.of("..", "docs", "debugging.md"))
                .blocks("")
                .stream()
                .filter(block -> block.startsWith("Budget"))
                .findFirst()
                .orElseThrow();
        assertThat(output.toString()).endsWith(message);
    }
}
