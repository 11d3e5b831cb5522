package dev.arenakit.examples.calls;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/calls.md` with code that is compiled.
class CallsPageTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/arenakit/examples/calls");

    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        String example = lines("CompiledBatch.java");
        assertThat(Page.read(Path.of("..", "docs", "calls.md")).blocks("java")).hasSize(1)
                .allSatisfy(block -> assertThat(example).contains(Page.withoutIndentation(block)));
    }

    private static String lines(String file) throws IOException {
        return Page.withoutIndentation(Page.read(SOURCES.resolve(file)).text());
    }
}
