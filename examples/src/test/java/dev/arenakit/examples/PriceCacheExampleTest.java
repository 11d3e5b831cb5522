package dev.arenakit.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("full")
class PriceCacheExampleTest {
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");

    @TempDir
    private Path directory;

    @Test
    void run_100000PricesKilled_areListedShownVerifiedAndContinued() throws Exception {
        assertThat(run(1 << 21, 100_000)).contains("A process with 100,000 prices")
                .contains("finds 100,000 prices")
                .contains("Price[2097152]  64 MiB");
    }

    /// 10 million prices in 4 GiB: half a minute.
    @Tag("slow")
    @Test
    void run_tenMillionPricesKilled_areListedShownVerifiedAndContinued() throws Exception {
        assertThat(run(1 << 27, 10_000_000)).contains("finds 10,000,000 prices");
    }

    private String run(long capacity, long count) throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        CapturedOutput printed = new CapturedOutput();
        new PriceCacheExample(printed.stream(), ARENA_JAR, directory, capacity, count).run(Duration.ofMillis(100));
        return printed.toString();
    }
}
