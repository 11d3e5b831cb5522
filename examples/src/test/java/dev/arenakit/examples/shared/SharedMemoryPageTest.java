package dev.arenakit.examples.shared;

import dev.arenakit.examples.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares the diagram of `docs/rings.md` with the class of the format.
class SharedMemoryPageTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path FORMAT = Path
            .of("../arena-core/src/main/java/dev/arenakit/internal/ring/RingFormat.java");
    /// The offset of a field that is a word of its own.
    private static final Pattern CONSTANT = Pattern.compile(
            "static final long (MAGIC|CAPACITY|RECORDS|KEY|CHECKSUM|WAKES|TAIL|HEAD_COPY|HEAD|SKIPS|WAITING) = (\\d+);");

    @Test
    void diagramOfTheFormat_hasTheOffsetsOfTheClass() throws IOException {
        String diagram = Page.read(DOCS.resolve("rings.md"))
                .blocks("text")
                .getFirst()
                .lines()
                .map(line -> line.strip().replaceAll(" +", " "))
                .collect(Collectors.joining("\n"));
        List<String> fields = CONSTANT.matcher(Files.readString(FORMAT))
                .results()
                .map(constant -> constant.group(2) + " " + constant.group(1).toLowerCase(Locale.ROOT).replace('_', ' '))
                .toList();
        assertThat(fields).contains("128 tail");
        assertThat(fields).allSatisfy(field -> assertThat(diagram).contains(field));
    }
}
