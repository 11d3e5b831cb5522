package dev.arenakit.mapped.internal.catalog;

import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.Seal;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.arena.NamedAllocations;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests that the documentation of [CatalogFormat] is enough for another language: a script in Python, which uses its
/// standard library alone, lists the same allocations.
@Tag("full")
class CatalogScriptTest {
    /// More blocks than the checksums of one text, without the first ones.
    private static final long BLOCKS = 1_050;
    private static final long FIRST = 100;

    private final Path directory = TestFileSystem.BUILD.newDirectory();
    private final Path base = directory.resolve("memory");

    CatalogScriptTest() throws IOException {}

    @AfterEach
    void removeDirectory() throws IOException {
        TestFileSystem.remove(directory);
    }

    @Test
    void script_listsTheAllocationsOfTheLibrary() throws Exception {
        assumeTrue(Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(each -> Files.isExecutable(Path.of(each, "python3"))), "python3 is not installed");
        Seal seal;
        long number;
        long growingNumber;
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(8 << 20).catalog(CatalogLevel.FULL).build()) {
            for (int i = 0; i < 700; i++) {
                arena.allocate(1 + i % 300 * (i % 50 == 0 ? 1_000L : 1), 1L << i % 22);
            }
            arena.allocate("numbers", JAVA_LONG, 10).fill((byte) 1);
            arena.allocate("freed", JAVA_LONG, 10);
            arena.free("freed");
            arena.allocate("empty", JAVA_LONG, 0);
            // The largest address space has room for it, and most file systems need several files.
            arena.allocate("large", JAVA_LONG, 1L << 41);
            MemorySegment data = arena.allocate("sealed", JAVA_LONG, BLOCKS << 17);
            for (long block = FIRST; block < BLOCKS; block++) {
                data.set(JAVA_LONG, block << 20, block);
            }
            GrowableSegment growing = arena.growable("growing", NamedAllocations.structOf(JAVA_LONG), 1_000);
            growing.grow(80);
            growing.elementCount(7);
            arena.force();
            growing.elementCount(9);
            arena.free(arena.growable(1 << 20).grow(100));
            arena.seal("numbers");
            seal = arena.seal("sealed");
        }

        List<String> expected;
        try (ArenaImage image = ArenaImage.open(base)) {
            expected = image.allocations().map(CatalogScriptTest::line).toList();
            growingNumber = image.find("growing").orElseThrow().number();
            number = image.find("sealed").orElseThrow().number();
        }
        List<String> found = new ArrayList<>(run());
        List<String> files = found.stream().filter(line -> line.startsWith("file|")).toList();
        found.removeAll(files);
        assertThat(files).contains("file|0|8388608|there").anyMatch(line -> line.endsWith("|removed"));
        assertThat(found.subList(0, 707)).isEqualTo(expected);
        assertThat(found.subList(707, found.size())).hasSize(4)
                .contains("count|" + growingNumber + "|9|9")
                .last()
                .isEqualTo("seal|" + number + "|" + seal.byteSize() + "|" + seal.time().toEpochMilli() + "|"
                        + (BLOCKS - FIRST) + "|" + Long.toHexString(FIRST));
    }

    private List<String> run() throws IOException, InterruptedException {
        Path script = directory.resolve("catalog.py");
        try (InputStream resource = Objects.requireNonNull(getClass().getResourceAsStream("catalog.py"))) {
            Files.copy(resource, script);
        }
        Path output = directory.resolve("output");
        Process python = new ProcessBuilder("python3", script.toString(), ImageFiles.catalog(base).toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(python.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(python.exitValue()).as(Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }

    private static String line(Allocation allocation) {
        Instant time = allocation.time().orElseThrow();
        return String.join("|", Long.toString(allocation.number()), Integer.toString(allocation.file()),
                Long.toString(allocation.byteOffset()), Long.toString(allocation.byteSize()),
                Long.toString(allocation.byteAlignment()), allocation.isLive() ? "1" : "0",
                quoted(allocation.name().orElse("")), quoted(allocation.typeText().orElse("")),
                Long.toString(time.getEpochSecond() * 1_000_000_000 + time.getNano()),
                Long.toString(allocation.thread().orElseThrow()));
    }

    private static String quoted(String text) {
        return "'" + text.replace("\n", "\\n") + "'";
    }
}
