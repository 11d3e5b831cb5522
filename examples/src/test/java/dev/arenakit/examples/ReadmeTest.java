package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// What the README shows is what is compiled and run.
class ReadmeTest {
    private static final Path EXAMPLE = Path.of("src/main/java/dev/arenakit/examples/ReadmeExample.java");
    private static final Path CONSUMERS = Path.of("src/it");

    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "target", "arena.jar");

    private final Page readme = Page.read(Path.of("../README.md"));

    ReadmeTest() throws IOException {}

    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        String example = Page.withoutIndentation(Files.readString(EXAMPLE));
        assertThat(readme.blocks("java")).hasSize(5)
                .allSatisfy(block -> assertThat(example).contains(Page.withoutIndentation(block)));
    }

    @Test
    void outputBlock_isWhatTheExamplePrints(@TempDir Path directory) throws IOException {
        Printed printed = new Printed();
        ReadmeExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("Hello World, 3\n" + readme.blocks("").getFirst() + "ARNA\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void commandBlock_isWhatTheCommandsPrint(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        ReadmeExample.outlive(directory.resolve("my-mapped-memory"));
        Printed printed = new Printed();
        ArenaCommand arena = new ArenaCommand(ARENA_JAR, printed.stream());
        String block = readme.blocks("").get(1);
        for (String line : block.lines().filter(line -> line.startsWith("$ arena ")).toList()) {
            arena.run(directory, line.substring("$ arena ".length()).split(" ", -1));
        }
        assertThat(Page.withoutIndentation(printed.toString()))
                .isEqualToIgnoringNewLines(Page.withoutIndentation(block));
    }

    @Test
    void dependency_isThatOfTheConsumers() throws IOException {
        String version = System.getProperty("project.version");
        for (String consumer : List.of("classpath", "modulepath")) {
            String pom = Files.readString(CONSUMERS.resolve(consumer).resolve("pom.xml"));
            assertThat(readme.blocks("xml")).singleElement()
                    .satisfies(block -> assertThat(pom.replace("@project.version@", version)).contains(block));
        }
    }

    @Test
    void flags_areThoseOfTheConsumers() throws IOException {
        List<String> flags = Pattern.compile("--enable-native-access=[\\w.-]+")
                .matcher(readme.text())
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(flags).hasSize(2);
        assertThat(CONSUMERS.resolve("classpath/pom.xml")).content().contains(">" + flags.get(0) + "<");
        assertThat(CONSUMERS.resolve("modulepath/pom.xml")).content().contains(">" + flags.get(1) + "<");
    }
}
