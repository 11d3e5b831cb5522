package dev.arenakit.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the blocks of `docs/sql.md` with the output of the example, and with the example of the class.
@Tag("full")
class QueriesExampleTest {
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");
    private static final Path PAGE = Path.of("..", "docs", "sql.md");
    private static final Path CLASS_EXAMPLE = Path.of("..",
            "arena-mapped/sql/src/test/java/dev/arenakit/sql/StructSqlExample.java");

    @Test
    void run_killedDesk_printsTheBlocksOfThePage(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        CapturedOutput printed = new CapturedOutput();
        new QueriesExample(printed.stream(), ARENA_JAR, DuckDbJar.path(), directory).run();
        assertThat(lines(printed.toString())).isEqualTo(lines(String.join("\n", Page.read(PAGE).blocks(""))));
        assertThat(Page.read(PAGE).blocks("java")).singleElement()
                .satisfies(block -> assertThat(Page.withoutIndentation(Files.readString(CLASS_EXAMPLE)))
                        .contains(Page.withoutIndentation(block)));
    }

    private static List<String> lines(String printed) {
        return printed.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
