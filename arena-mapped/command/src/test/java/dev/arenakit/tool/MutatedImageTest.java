package dev.arenakit.tool;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/// Runs commands on images that are changed at random: each command ends, reports problems in lines, and writes nothing
/// but what it is told to. `-Dmutated.seed=N` repeats the case with that number.
@Tag("full")
class MutatedImageTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /// The exit code is 2 if no type is left that has the fields of a predicate.
    private static final Set<Integer> ANY = Set.of(0, 1, 2, 3);
    /// The engine takes longer to start than all other commands together.
    private static final int SQL_EVERY = 300;
    private static final String QUERIES = "select count(*), sum(id), min(symbol) from trades; from trades limit 3;"
            + " select side, count(*) from trades group by 1";

    private final Path directory;
    private final Path base;
    private final Path sound;
    private final Path copy;

    MutatedImageTest(@TempDir(factory = SharedMemory.class) Path parent) throws IOException {
        directory = Files.createDirectory(parent.resolve("images"));
        base = directory.resolve("changed");
        sound = directory.resolve("sound");
        copy = directory.resolve("copy");
    }

    /// This test takes some seconds, since it starts the engine of SQL.
    @Test
    void commands_changedImages_endWithoutTrace() throws IOException {
        run(0, 300);
    }

    /// This test takes some minutes.
    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void commands_hundredThousandChangedImages_endWithoutTrace() throws IOException {
        run(0, 100_000);
    }

    @Test
    @EnabledIfSystemProperty(named = "mutated.seed", matches = "\\d+")
    void commands_oneChangedImage_endWithoutTrace() throws IOException {
        run(Integer.getInteger("mutated.seed"), 1);
    }

    private void run(int first, int images) throws IOException {
        fill(base);
        fill(sound);
        String untyped = TestImage.label(base, 3);
        Set<String> places = places(base);
        List<Path> files = list(directory);
        MutatedImage image = new MutatedImage(base, 2);
        int problems = 0;
        for (int seed = first; seed < first + images; seed++) {
            image.change(seed);
            problems += check(seed, untyped, image.isForged() ? Set.of() : places);
            for (Path file : list(directory)) {
                if (!files.contains(file)) {
                    assertThat(file.getFileName().toString()).as("seed=%d", seed)
                            .matches("copy(-\\d+|\\.catalog|\\.lock)|changed(-\\d+|\\.lock)");
                    Files.delete(file);
                }
            }
        }
        assertThat(list(Objects.requireNonNull(directory.getParent()))).containsExactly(directory);
        assertThat(ToolRun.of("verify", "--data", sound.toString()).exitCode()).as("untouched image").isZero();
        if (images > 1) {
            assertThat(problems).as("commands that reported problems").isGreaterThan(images / 2);
        }
    }

    /// Runs one command.
    ///
    /// @param places the allocations that are there if no problem is found
    /// @return 1 if the command has found problems
    private int check(int seed, String untyped, Set<String> places) throws IOException {
        if (seed % SQL_EVERY == SQL_EVERY - 1) {
            return check(seed, "sql", base.toString(), QUERIES).exitCode() == 0 ? 0 : 1;
        }
        String[] args = switch (new SplittableRandom(~seed).nextInt(17)) {
            case 0 -> new String[]{"ls", base.toString()};
            case 1 -> new String[]{"ls", directory.toString(), "--json"};
            case 2 -> new String[]{"du", base.toString()};
            case 3 -> new String[]{"show", base.toString(), "--limit", "3"};
            case 4 -> new String[]{"show", base.toString(), "tardes"};
            case 5 -> new String[]{"hexdump", "--in", base.toString(), "trades", untyped, "--annotate", "-n", "4K"};
            case 6 -> new String[]{"find", base.toString(), "--where", "id > 5 && price != nan", "--limit", "3"};
            case 7 -> new String[]{"find", base.toString(), "--bytes", "07 07 ?? 0?", "--count"};
            case 8 -> new String[]{"diff", sound.toString(), base.toString()};
            case 9 -> new String[]{"diff", base.toString(), sound.toString(), "--limit", "1"};
            case 10 -> new String[]{"purge", base.toString(), "--dry-run"};
            case 11 -> new String[]{"verify", "--data", base.toString()};
            case 12 -> new String[]{"repair", base.toString(), copy.toString()};
            case 13 -> new String[]{"copy", base.toString(), copy.toString()};
            case 14 -> new String[]{"seal", base.toString()};
            case 15 -> new String[]{};
            default -> new String[]{"verify", base.toString()};
        };
        if (args.length == 0) {
            return reopen(seed);
        }
        ToolRun run = check(seed, args);
        if (args[0].equals("verify") && run.exitCode() == 0 && !run.out().contains(": note: ")) {
            // Nothing covers the state of an entry, so that an allocation may seem to be freed.
            assertThat(places(base)).as("no problem, and yet lost: " + what(seed, args)).containsAll(places);
            assertThat(ToolRun.of("ls", base.toString()).exitCode()).as(what(seed, args)).isZero();
        }
        if (Set.of("repair", "copy").contains(args[0]) && run.exitCode() == 0) {
            check(seed, "verify", copy.toString());
        }
        return run.exitCode() == 0 ? 0 : 1;
    }

    private static ToolRun check(int seed, String... args) {
        ToolRun run = assertTimeoutPreemptively(PATIENCE, () -> ToolRun.of(args), () -> what(seed, args));
        assertThat(run.exitCode()).as(what(seed, args) + run.err()).isIn(ANY);
        assertThat(run.out() + run.err()).as(what(seed, args)).doesNotContain("\tat ", "Exception", "unexpected: ");
        if (run.exitCode() != 0) {
            assertThat(run.out() + run.err()).as(what(seed, args)).isNotBlank();
        }
        assertThat(run.err().lines()).as(what(seed, args)).allMatch(line -> line.startsWith("arena: "));
        return run;
    }

    /// Reopens the image, allocates, and attaches to it.
    ///
    /// @return 1 if the image is refused
    private int reopen(int seed) {
        return assertTimeoutPreemptively(PATIENCE, () -> {
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen();
                    ArenaImage image = ArenaImage.attach(base)) {
                arena.allocate("new", JAVA_INT, 100).fill((byte) 1);
                assertThat(image.find("new")).isPresent();
                return 0;
            } catch (IOException | UncheckedIOException | CapacityExceededException _) {
                return 1;
            }
        }, () -> what(seed, "reopen"));
    }

    /// The places of all allocations.
    private static Set<String> places(Path of) throws IOException {
        try (ArenaImage image = ArenaImage.open(of)) {
            return image.allocations()
                    .map(it -> it.label() + " " + it.file() + " " + it.byteOffset() + " " + it.byteSize())
                    .collect(Collectors.toSet());
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
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
