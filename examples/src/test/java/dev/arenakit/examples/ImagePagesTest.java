package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/images.md` and `docs/rows.md` with code that is compiled and run.
class ImagePagesTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/arenakit/examples");
    private static final Path DOCS = Path.of("..", "docs");

    @Test
    void blocksOfImages_areLinesOfTheExample() throws IOException {
        assertThat(javaBlocks("images.md")).hasSize(2)
                .allSatisfy(block -> assertThat(source("ReadmeExample"))
                        .contains(Page.withoutIndentation(block.replace("System.out", "out"))));
    }

    @Test
    void blocksOfRows_areLinesOfTheExample() throws IOException {
        assertThat(javaBlocks("rows.md")).hasSize(3)
                .allSatisfy(block -> assertThat(source("RowsExample")).contains(Page.withoutIndentation(block)));
    }

    @Test
    void rowsExample_killedProcess_losesNoRow(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        RowsExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("More than 10,000 rows have survived the kill.\n");
        assertThat(directory).isEmptyDirectory();
    }

    private static List<String> javaBlocks(String page) throws IOException {
        return Page.read(DOCS.resolve(page)).blocks("java");
    }

    private static String source(String example) throws IOException {
        return Page.withoutIndentation(Files.readString(SOURCES.resolve(example + ".java")));
    }
}
