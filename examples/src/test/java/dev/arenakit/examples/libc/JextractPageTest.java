package dev.arenakit.examples.libc;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// What `docs/jextract.md` shows is what is compiled.
class JextractPageTest {
    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        String example = lines("src/main/java/dev/arenakit/examples/libc/LibcExample.java")
                + lines("src/main/java/dev/arenakit/examples/libc/HandWrittenLibc.java")
                + lines("src/jextract/java/dev/arenakit/examples/libc/GeneratedLibc.java");
        assertThat(Page.read(Path.of("..", "docs", "jextract.md")).blocks("java")).hasSize(4)
                .allSatisfy(block -> assertThat(example).contains(Page.withoutIndentation(block)));
    }

    private static String lines(String file) throws IOException {
        return Page.withoutIndentation(Page.read(Path.of(file)).text());
    }
}
