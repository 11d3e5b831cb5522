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

    private final String readme = Files.readString(Path.of("../README.md"));

    ReadmeTest() throws IOException {}

    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        String example = withoutIndentation(Files.readString(EXAMPLE));
        assertThat(blocks("java")).hasSize(5)
                .allSatisfy(block -> assertThat(example).contains(withoutIndentation(block)));
    }

    @Test
    void outputBlock_isWhatTheExamplePrints(@TempDir Path directory) throws IOException {
        Printed printed = new Printed();
        ReadmeExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("Hello World, 3\n" + blocks("").getFirst() + "ARNA\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void commandBlock_isWhatTheCommandsPrint(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        ReadmeExample.outlive(directory.resolve("my-mapped-memory"));
        Printed printed = new Printed();
        ArenaCommand arena = new ArenaCommand(ARENA_JAR, printed.stream());
        String block = blocks("").get(1);
        for (String line : block.lines().filter(line -> line.startsWith("$ arena ")).toList()) {
            arena.run(directory, line.substring("$ arena ".length()).split(" ", -1));
        }
        assertThat(withoutIndentation(printed.toString())).isEqualToIgnoringNewLines(withoutIndentation(block));
    }

    @Test
    void dependency_isThatOfTheConsumers() throws IOException {
        String version = System.getProperty("project.version");
        for (String consumer : List.of("classpath", "modulepath")) {
            String pom = Files.readString(CONSUMERS.resolve(consumer).resolve("pom.xml"));
            assertThat(blocks("xml")).singleElement()
                    .satisfies(block -> assertThat(pom.replace("@project.version@", version)).contains(block));
        }
    }

    @Test
    void flags_areThoseOfTheConsumers() throws IOException {
        List<String> flags = Pattern.compile("--enable-native-access=[\\w.-]+")
                .matcher(readme)
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(flags).hasSize(2);
        assertThat(CONSUMERS.resolve("classpath/pom.xml")).content().contains(">" + flags.get(0) + "<");
        assertThat(CONSUMERS.resolve("modulepath/pom.xml")).content().contains(">" + flags.get(1) + "<");
    }

    /// What stands between the fences of a language, the first line of a fence telling which.
    private List<String> blocks(String language) {
        String[] parts = readme.split("```", -1);
        return IntStream.range(0, parts.length)
                .filter(i -> i % 2 == 1 && parts[i].startsWith(language + "\n"))
                .mapToObj(i -> parts[i].substring(language.length() + 1))
                .toList();
    }

    private static String withoutIndentation(String code) {
        return code.lines().map(String::strip).collect(Collectors.joining("\n"));
    }
}
