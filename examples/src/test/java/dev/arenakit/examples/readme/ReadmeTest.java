package dev.arenakit.examples.readme;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.Page;
import dev.arenakit.examples.process.ArenaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Compares the blocks of the README and of the pages in `docs` with compiled code and its output.
class ReadmeTest {
    private static final Path EXAMPLE = Path.of("src/main/java/dev/arenakit/examples/readme/ReadmeExample.java");
    private static final Path CONSUMERS = Path.of("src/it");
    private static final Path DOCS = Path.of("..", "docs");
    private static final Path CONTRACT = Path
            .of("../arena-core/contract/src/main/java/dev/arenakit/contract/package-info.java");

    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");

    /// An argument of a command, with or without quotes.
    private static final Pattern ARGUMENT = Pattern.compile("'[^']*'|\\S+");

    private final Page readme = Page.read(Path.of("../README.md"));
    private final Page structs = Page.read(DOCS.resolve("structs.md"));

    ReadmeTest() throws IOException {}

    @Test
    void javaBlocks_areLinesOfTheExample() throws IOException {
        List<String> blocks = readme.blocks("java");
        assertThat(blocks).hasSize(3);
        String example = Page.withoutIndentation(Files.readString(EXAMPLE));
        assertThat(List.of(blocks.get(0), blocks.get(2))).allSatisfy(block -> assertThat(example)
                .contains(Page.withoutIndentation(block.replace("System.out", "out"))));
    }

    @Test
    void firstProgram_isTheProject() throws IOException {
        Path project = CONSUMERS.resolve("readme");
        String pom = Files.readString(project.resolve("pom.xml"))
                .replace("@project.version@", System.getProperty("project.version"));
        assertThat(readme.blocks("xml")).containsExactly(pom);
        assertThat(readme.blocks("java").get(1))
                .isEqualTo(Files.readString(project.resolve("src/main/java/app/Main.java")));
        assertThat(readme.blocks("").getFirst()).isEqualTo(Files.readString(project.resolve("expected.txt")));
    }

    @Test
    void outputBlock_isWhatTheExamplePrints(@TempDir Path directory) throws IOException {
        CapturedOutput printed = new CapturedOutput();
        ReadmeExample.run(printed.stream(), directory);
        assertThat(printed).hasToString("Hello World, 3\n" + structs.blocks("").getFirst() + "103\nARNA\n");
    }

    @Test
    @Tag("full")
    void commandBlocks_areWhatTheCommandsPrint(@TempDir Path directory) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        ReadmeExample.store(directory.resolve("my-mapped-memory"));
        CapturedOutput printed = new CapturedOutput();
        ArenaCommand arena = new ArenaCommand(ARENA_JAR, printed.stream());
        String block = Page.read(DOCS.resolve("command.md")).blocks("").getFirst();
        for (String line : block.lines().filter(line -> line.startsWith("$ arena ")).toList()) {
            arena.run(directory, ARGUMENT.matcher(line.substring("$ arena ".length()))
                    .results()
                    .map(argument -> argument.group().replace("'", ""))
                    .toArray(String[]::new));
        }
        assertThat(Page.withoutIndentation(printed.toString()))
                .isEqualToIgnoringNewLines(Page.withoutIndentation(block));
        assertThat(block).startsWith(readme.blocks("").get(1));
    }

    @Test
    void nativeAccessFlags_areThoseOfTheProjects() throws IOException {
        List<String> flags = List.of("--enable-native-access=ALL-UNNAMED", "--enable-native-access=dev.arenakit");
        assertThat(readme.nativeAccessFlags()).isEqualTo(flags);
        assertThat(Page.read(DOCS.resolve("arenas.md")).nativeAccessFlags())
                .containsExactly(flags.get(0), flags.get(1), "--enable-native-access=your.module,dev.arenakit");
        assertThat(CONSUMERS.resolve("shaded/pom.xml")).content().contains(">" + flags.get(0) + "<");
        assertThat(CONSUMERS.resolve("runtime/pom.xml")).content().contains(">" + flags.get(1) + "<");
    }

    @Test
    void packageOfTheContract_hasTheProgramsThatRun() throws IOException {
        String documentation = Files.readString(CONTRACT).replaceAll("(?m)^/// ?", "");
        for (String program : List.of("CacheLineArena", "CacheLineArenaTest")) {
            String source = Files.readString(Path.of("src/test/java/com/example", program + ".java"));
            assertThat(documentation).contains(source.substring(source.indexOf("class " + program)));
        }
    }
}
