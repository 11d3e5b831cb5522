package dev.arenakit.examples.shared;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the blocks of `docs/shared-memory.md` with code that is compiled.
class SharedMemoryPageTest {
    private static final Path PAGE = Path.of("..", "docs", "shared-memory.md");
    private static final Path SOURCES = Path.of("src/main/java/dev/arenakit/examples/shared");
    private static final Path FORMAT = Path
            .of("../arena-core/src/main/java/dev/arenakit/internal/ring/RingFormat.java");

    @Test
    void javaBlocks_areLinesOfTheExamples() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.list(SOURCES)) {
            sources = files.toList();
        }
        StringBuilder examples = new StringBuilder();
        for (Path source : sources) {
            examples.append(Page.withoutIndentation(Files.readString(source)));
        }
        assertThat(Page.read(PAGE).blocks("java")).hasSize(5)
                .allSatisfy(block -> assertThat(examples).contains(Page.withoutIndentation(block)));
    }

    @Test
    void constantsOfTheFormat_areOnThePage() throws IOException {
        String page = Page.read(PAGE).text();
        List<String> offsets = Files.readString(FORMAT)
                .lines()
                .filter(line -> line.matches("    static final long (MAGIC|VERSION_AND_KIND|CAPACITY|RECORDS|KEY|CHECKSUM|"
                        + "TAIL|HEAD_COPY|HEAD|SKIPS) = \\d+;"))
                .map(line -> line.replaceAll(" *static final long (\\w+) = (\\d+);", "$2 $1"))
                .toList();
        assertThat(offsets).hasSize(10);
        String fields = page.lines().map(line -> line.strip().replaceAll(" +", " ")).collect(Collectors.joining("\n"));
        assertThat(offsets).allSatisfy(offset -> assertThat(fields).contains(offset));
    }
}
