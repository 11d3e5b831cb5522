package dev.arenakit.examples;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of the pages about images with code that is compiled and run.
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
    void rowsExample_killedProcess_losesNoRow(@TempDir Path directory) throws Exception {
        CapturedOutput printed = new CapturedOutput();
        RowsExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("More than 10,000 rows have survived the kill.\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void blocksOfStoredStructures_areLinesOfTheExamples() throws IOException {
        String examples = source("StoredExample") + source("RowsExample") + source("LastingQuotes");
        assertThat(javaBlocks("stored-structures.md")).hasSize(9)
                .allSatisfy(block -> assertThat(examples).contains(Page.withoutIndentation(block)));
    }

    @Test
    void storedExample_findsTheOrder(@TempDir Path directory) throws IOException {
        CapturedOutput printed = new CapturedOutput();
        StoredExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("""
                Order[customer=7, quantity=100, price=9.5, symbol=ARNA]
                StructureRepair[kept=0, dropped=0, lost=[]]
                """);
    }

    @Test
    void lastingQuotes_killedProcess_areOldOrNew(@TempDir Path directory) throws Exception {
        Path base = directory.resolve("quotes");
        try (DoomedProcess writer = DoomedProcess.start(LastingQuotes.class, base.toString())) {
            long acknowledged = writer.killAt(10_000).reached();
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                LastingQuotes quotes = new LastingQuotes(arena);
                for (long slot = 0; slot < LastingQuotes.COUNT; slot++) {
                    LastingQuotes.Quote quote = quotes.get(slot);
                    assertThat(quote).isEqualTo(LastingQuotes.Quote.number(quote.number()));
                    assertThat(quote.number()).isGreaterThan(acknowledged - LastingQuotes.COUNT);
                }
            }
        }
    }

    private static List<String> javaBlocks(String page) throws IOException {
        return Page.read(DOCS.resolve(page)).blocks("java");
    }

    private static String source(String example) throws IOException {
        return Page.withoutIndentation(Files.readString(SOURCES.resolve(example + ".java")));
    }
}
