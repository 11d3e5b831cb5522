package dev.arenakit.examples.words;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.examples.DuckDbJar;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("full")
class StoredWordsExampleTest {
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");
    private static final Path SOURCES = Path.of(System.getProperty("java.home"), "lib", "src.zip");

    @TempDir
    private Path directory;

    @Test
    void run_killedInTheMiddle_continuesAndCountsAsAnUninterruptedRun() throws Exception {
        assertThat(run("java.base/java/util/concurrent/")).contains("is killed in the middle")
                .containsPattern("ImageTree\\W+\\d+ entries")
                .contains("sources: no problem in 2 allocations")
                .containsPattern("Another process continues. It finds [1-9],\\d{3} words");
    }

    @Tag("slow")
    @Test
    void run_withAllSourcesOfAModule_continuesAndCountsAsAnUninterruptedRun() throws Exception {
        assertThat(run("java.base/")).containsPattern("It finds \\d{2},\\d{3} words");
    }

    private String run(String beginning) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        assumeTrue(Files.exists(SOURCES), "needs the sources of the JDK: " + SOURCES);
        CapturedOutput printed = new CapturedOutput();
        new StoredWordsExample(printed.stream(), ARENA_JAR, directory, SOURCES, beginning,
                DuckDbJar.path()).run();
        return printed.toString();
    }
}
