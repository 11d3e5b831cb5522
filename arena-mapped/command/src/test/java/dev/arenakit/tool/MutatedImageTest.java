package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/// Runs commands on images that are changed at random: each command ends, and reports problems in lines.
class MutatedImageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Set<Integer> ALLOCATIONS = Set.of(0, 1);
    /// The exit code is 2 if no type is left that has the fields of the predicate.
    private static final Set<Integer> FOUND = Set.of(0, 1, 2, 3);
    private static final Set<Integer> ANY = Set.of(0, 1, 3);
    /// The engine takes longer to start than all other commands together.
    private static final int SQL_EVERY = 6;
    private static final String QUERIES = "select count(*), sum(id), min(symbol) from trades; from trades limit 3;"
            + " select side, count(*) from trades group by 1";

    private final Path directory;

    MutatedImageTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
    }

    /// This test takes some seconds, since it runs about 600 commands.
    @Test
    void commands_changedImages_endWithoutTrace() throws IOException {
        run(30);
    }

    /// This test takes some minutes.
    @Test
    @Tag("slow")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void commands_tenThousandChangedImages_endWithoutTrace() throws IOException {
        run(10_000);
    }

    private void run(int images) throws IOException {
        Path base = directory.resolve("changed");
        Path sound = directory.resolve("sound");
        fill(base);
        fill(sound);
        String untyped = TestImage.label(base, 3);
        MutatedImage image = new MutatedImage(base, 2);
        int problems = 0;
        for (int seed = 0; seed < images; seed++) {
            image.change(seed);
            problems += check(seed, ANY, "verify", base.toString());
            check(seed, ALLOCATIONS, "ls", base.toString());
            check(seed, ALLOCATIONS, "du", base.toString());
            check(seed, ALLOCATIONS, "show", base.toString(), "--limit", "3");
            check(seed, ALLOCATIONS, "hexdump", "--in", base.toString(), "trades", untyped, "--annotate", "-n", "4K");
            check(seed, FOUND, "find", base.toString(), "--where", "id > 5 && price != nan", "--limit", "3");
            check(seed, ANY, "find", base.toString(), "--bytes", "07 07 ?? 0?", "--count");
            check(seed, ANY, "diff", sound.toString(), base.toString());
            check(seed, ANY, "diff", base.toString(), sound.toString(), "--limit", "1");
            check(seed, ALLOCATIONS, "purge", base.toString(), "--dry-run");
            check(seed, ANY, "verify", "--data", base.toString());
            if (seed % SQL_EVERY == 0) {
                check(seed, ALLOCATIONS, "sql", base.toString(), QUERIES);
            }
        }
        assertThat(problems).as("images with problems").isGreaterThan(images * 3 / 4);
    }

    /// @return 1 if the command has found problems
    private static int check(int seed, Set<Integer> exitCodes, String... args) {
        ToolRun run = assertTimeoutPreemptively(PATIENCE, () -> ToolRun.of(args), () -> what(seed, args));
        assertThat(run.exitCode()).as(what(seed, args) + run.err()).isIn(exitCodes);
        assertThat(run.out() + run.err()).as(what(seed, args)).doesNotContain("\tat ", "Exception", "unexpected: ");
        if (run.exitCode() != 0) {
            assertThat(run.out() + run.err()).as(what(seed, args)).isNotBlank();
        }
        assertThat(run.err().lines()).as(what(seed, args)).allMatch(line -> line.startsWith("arena: "));
        return run.exitCode() == 0 ? 0 : 1;
    }

    private static String what(int seed, String... args) {
        return "seed=" + seed + ": " + String.join(" ", args) + "\n";
    }

    private static void fill(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 14).build()) {
            MemorySegment trades = arena.allocate("trades", TestImage.TRADE, 100);
            for (int i = 0; i < 800; i++) {
                trades.setAtIndex(JAVA_INT, i, i * i);
            }
            arena.allocate("old", TestImage.TRADE, 10);
            arena.free("old");
            arena.allocate("prices", JAVA_DOUBLE, 1000).setAtIndex(JAVA_DOUBLE, 500, 2.5);
            arena.allocate(4000, 8).fill((byte) 1);
            arena.allocate("empty", TestImage.TRADE, 0);
            arena.allocate("more", JAVA_INT, 4000).fill((byte) 7);
            arena.seal("trades");
            arena.seal("more");
        }
    }
}
