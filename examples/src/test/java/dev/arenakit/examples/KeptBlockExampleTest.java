package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs the example, and compares it with `docs/arenas.md`.
class KeptBlockExampleTest {
    private static final Path SOURCE = Path.of("src/main/java/dev/arenakit/examples/KeptBlockExample.java");

    @Test
    void run_aRequestThatIsRefused_leavesNoAnswer() {
        CapturedOutput printed = new CapturedOutput();
        KeptBlockExample.run(printed.stream());
        assertThat(printed).hasToString("""
                answer to small
                refused; bytes of answers: 0
                """);
    }

    @Test
    void blockOfThePage_isOfTheExample() throws IOException {
        String page = Page.read(Path.of("..", "docs", "arenas.md")).text();
        List<String> blocks = new Page(page.substring(page.indexOf("## A block that outlives its request")))
                .blocks("java");
        assertThat(Page.withoutIndentation(Page.read(SOURCE).text()))
                .contains(Page.withoutIndentation(blocks.getFirst()));
    }
}
