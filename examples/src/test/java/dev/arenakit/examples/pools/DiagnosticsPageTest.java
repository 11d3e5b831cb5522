package dev.arenakit.examples.pools;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/diagnostics.md` with the example and its output.
class DiagnosticsPageTest {
    private static final Path SOURCE = Path.of("src/main/java/dev/arenakit/examples/pools/BudgetExample.java");

    @Test
    void blocks_areLinesOfTheExampleAndOfItsOutput() throws IOException {
        Page page = Page.read(Path.of("..", "docs", "diagnostics.md"));
        String example = Page.withoutIndentation(Page.read(SOURCE).text());
        assertThat(page.blocks("java")).hasSize(2)
                .allSatisfy(block -> assertThat(example).contains(Page.withoutIndentation(block)));

        CapturedOutput output = new CapturedOutput();
        BudgetExample.run(output.stream());
        // Other tests of this JVM may have pools open.
        assertThat(output.toString().lines().toList())
                .containsAll(page.blocks("").getFirst().lines().toList());
    }
}
