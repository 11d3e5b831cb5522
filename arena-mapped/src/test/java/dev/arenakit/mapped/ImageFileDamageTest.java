package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests images whose files were truncated, removed, replaced or copied.
class ImageFileDamageTest extends InDirectory {
    private static final int LONGS = 2_000;

    ImageFileDamageTest() {
        super(TestFileSystem.BUILD);
        // Three allocations with files of their own, and three in one chunk.
        try (InfiniteArena plain = InfiniteArena.ofConfined(base);
                InfiniteArena chunked = InfiniteArena.builder(base("chunked")).confined().chunked().build()) {
            for (int i = 0; i < 3; i++) {
                fill(plain.names().allocate("a" + i, JAVA_LONG, LONGS));
                fill(chunked.names().allocate("a" + i, JAVA_LONG, LONGS));
            }
        }
    }

    private Path base(String name) {
        return directory.resolve(name);
    }

    private static void fill(MemorySegment memory) {
        for (long i = 0; i < LONGS; i++) {
            memory.setAtIndex(JAVA_LONG, i, ~i);
        }
    }

    private static void assertFilled(MemorySegment memory) {
        assertThat(memory.byteSize()).isEqualTo(LONGS * 8);
        for (long i = 0; i < LONGS; i++) {
            assertThat(memory.getAtIndex(JAVA_LONG, i)).isEqualTo(~i);
        }
    }

    private static List<String> problems(Path base) throws IOException {
        return read(ArenaImage.open(base), image -> image.integrity()
                .problems()
                .map(problem -> problem.allocation().map(Allocation::label).orElse("-") + " "
                        + problem.description())
                .toList());
    }

    @Test
    void read_dataFileTruncated_reportsTheMissingBytes() throws IOException {
        assertThat(problems(base)).isEmpty();
        assertThat(problems(base("chunked"))).isEmpty();
        TestFileSystem.truncate(base("memory-1"), 100);
        TestFileSystem.truncate(base("chunked-0"), LONGS * 8 + 100);

        assertThat(problems(base)).hasSize(2).anyMatch(it -> it.startsWith("a1 Data file is truncated"));
        assertThat(problems(base("chunked"))).hasSize(3)
                .anyMatch(it -> it.startsWith("a1 Data file is truncated"))
                .anyMatch(it -> it.startsWith("a2 Data file is truncated"));
        try (ArenaImage image = ArenaImage.open(base("chunked")); Arena arena = Arena.ofConfined()) {
            assertFilled(image.segment(image.find("a0").orElseThrow(), arena));
            Allocation cut = image.find("a1").orElseThrow();
            assertThatThrownBy(() -> image.segment(cut, arena)).isInstanceOf(IOException.class)
                    .hasMessageContaining("is truncated");
            assertThat(bytes(image.source(cut), 0, 1 << 20)).as("ends early").hasSize(100);
            assertThat(bytes(image.source(image.find("a2").orElseThrow()), 0, 1 << 20)).isEmpty();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base("chunked")).reopen()) {
            assertFilled(arena.names().find("a0").orElseThrow());
            assertThatThrownBy(() -> arena.names().find("a1")).isInstanceOf(java.io.UncheckedIOException.class)
                    .hasMessageContaining("truncated");
        }
    }

    @Test
    void read_dataFileMissingOrReplaced_isReported() throws Exception {
        Files.delete(base("memory-0"));
        Files.delete(base("memory-1"));
        Files.createDirectory(base("memory-1"));
        assertTwoFilesAreLost();
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            for (String name : List.of("a0", "a1")) {
                Allocation gone = image.find(name).orElseThrow();
                assertThatThrownBy(() -> image.segment(gone, arena)).isInstanceOf(IOException.class);
                assertThatThrownBy(() -> image.source(gone)).isInstanceOf(IOException.class);
            }
        }
        TestFileSystem.assumeLinks(directory);
        Files.move(base("memory-2"), base("moved"));
        Files.createSymbolicLink(base("memory-2"), base("moved"));
        assertTwoFilesAreLost();
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertFilled(image.segment(image.find("a2").orElseThrow(), arena));
        }
        Files.delete(base("memory-1"));
        Process pipe = new ProcessBuilder("mkfifo", base("memory-1").toString()).start();
        assumeTrue(pipe.waitFor() == 0, "needs mkfifo");
        assertThat(problems(base)).anyMatch(it -> it.startsWith("a1 Data file is not a regular file: path="));
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> image.segment(image.find("a1").orElseThrow(), arena))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Not a regular file");
        }
    }

    @Test
    void read_linkToItself_isMissing() throws IOException {
        Files.delete(base("memory-1"));
        Files.createSymbolicLink(base("memory-1"), base("memory-1"));

        assertThat(problems(base)).singleElement().asString().startsWith("a1 Data file is missing");
    }

    private void assertTwoFilesAreLost() throws IOException {
        assertThat(problems(base)).hasSize(2)
                .anyMatch(it -> it.startsWith("a0 Data file is missing"))
                .anyMatch(it -> it.startsWith("a1 Data file is not a regular file: path="));
    }

    @Test
    void open_catalogMissingOrDirectory_throwsIoException() throws Exception {
        Path catalog = base("memory.catalog");
        Files.delete(catalog);
        assertThatThrownBy(() -> ArenaImage.open(base)).isInstanceOf(IOException.class);
        Files.createDirectory(catalog);
        assertThatThrownBy(() -> ArenaImage.open(base)).isInstanceOf(IOException.class);
        Files.delete(catalog);
        TestFileSystem.assumePermissions(directory);
        assumeTrue(new ProcessBuilder("mkfifo", catalog.toString()).start().waitFor() == 0, "needs mkfifo");
        assertThatThrownBy(() -> ArenaImage.open(base)).isInstanceOf(IOException.class);
    }

    @Test
    void open_catalogTruncatedAnywhere_readsTheRemainderAndReportsTheRest() throws IOException {
        Path catalog = base("memory.catalog");
        byte[] whole = Files.readAllBytes(catalog);
        int end = whole.length;
        while (whole[end - 1] == 0) {
            end--;
        }
        int before = 0;
        for (int size = 0; size < end; size += size % 64 == 0 ? 31 : 33) {
            Files.write(catalog, Arrays.copyOf(whole, size));
            if (size < 64) {
                // An image without a complete header may be refused or read, but it has problems.
                try {
                    assertThat(problems(base)).isNotEmpty();
                } catch (IOException _) {
                    assertThat(size).isLessThan(12);
                }
                continue;
            }
            assertThat(problems(base)).as("size=%d", size).isNotEmpty();
            try (ArenaImage image = ArenaImage.open(base)) {
                List<Allocation> left = image.allocations().toList();
                assertThat(left).hasSizeBetween(before, 3);
                before = left.size();
            }
            // New records follow the remaining ones, and new allocations have files of their own.
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                arena.names().allocate("new", JAVA_LONG, 1);
                assertThat(arena.names().find("a0").isPresent()).isEqualTo(before > 0);
            }
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.find("new")).as("size=%d", size).isPresent();
                assertThat(image.allocations()).hasSize(before + 1);
                Files.delete(image.file(image.find("new").orElseThrow().file()));
            }
        }
        assertThat(before).as("the last record is that of a file").isEqualTo(3);
    }

    @Test
    void reopen_catalogTruncated_allocatesNoUsedMemory() throws IOException {
        Path catalog = base("chunked.catalog");
        byte[] whole = Files.readAllBytes(catalog);
        int last = 0;
        for (int at = 128; at < whole.length; at += 64) {
            last = whole[at + 8] == 1 ? at : last;
        }
        TestFileSystem.truncate(catalog, last);

        try (InfiniteArena arena = InfiniteArena.builder(base("chunked")).reopen()) {
            MemorySegment memory = arena.names().allocate("new", JAVA_LONG, LONGS);
            assertThat(memory.mismatch(MemorySegment.ofArray(new long[LONGS]))).as("zeroed").isEqualTo(-1);
        }
    }

    @Test
    void ownerIsAlive_lockMissing_isFalse() throws IOException {
        Files.delete(base("memory.lock"));
        try (ArenaImage image = ArenaImage.open(base)) {
            assertThat(image.ownerIsAlive()).isFalse();
            assertThat(image.integrity().problems()).isEmpty();
        }
        assertThat(base("memory.lock")).doesNotExist();
    }

    @Test
    void read_directoryNotWritable_works() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-x------"));
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.ownerIsAlive()).isFalse();
            assertFilled(image.segment(image.find("a1").orElseThrow(), arena));
            assertThat(image.integrity().problems()).isEmpty();
        } finally {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(TestFileSystem.names(directory)).hasSize(8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cp --sparse=always chunked-0 copy && cp chunked.catalog copy",
            "tar -cSf packed.tar chunked-0 chunked.catalog chunked.lock && tar -xSf packed.tar -C copy"})
    void read_copiedOrPackedByATool_isTheSame(String script) throws Exception {
        Path copy = Files.createDirectory(base("copy"));
        copy(script);
        assertThat(base("packed.tar").toFile().length()).isLessThan(1 << 20);
        assertCopied(copy.resolve("chunked"));
    }

    private void copy(String script) throws Exception {
        String tool = script.substring(0, script.indexOf(' '));
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "needs a shell");
        Process trial = new ProcessBuilder("/bin/sh", "-c", tool + " --version").redirectErrorStream(true).start();
        assumeTrue(new String(trial.getInputStream().readAllBytes(), UTF_8).contains("GNU"), () -> "needs GNU " + tool);
        // The chunk is so small that a tool reads it quickly when it cannot find holes.
        TestFileSystem.truncate(base("chunked-0"), 1 << 20);
        try (FileChannel channel = FileChannel.open(base("chunked-0"), StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.allocate(1), (1L << 30) - 1);
        }
        Process process = new ProcessBuilder("/bin/sh", "-c", script).directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static void assertCopied(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(image.base()).isEqualTo(base);
            assertThat(image.allocations()).hasSize(3);
            for (Allocation allocation : image.allocations().toList()) {
                assertFilled(image.segment(allocation, arena));
            }
            assertThat(image.ownerIsAlive()).isFalse();
            assertThat(image.integrity().problems()).as("but for the size of the chunk")
                    .allMatch(problem -> problem.description().contains("needed=" + (1L << 40)));
            assertThat(Files.exists(image.file(0), LinkOption.NOFOLLOW_LINKS)).isTrue();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertFilled(arena.names().find("a2").orElseThrow());
            arena.allocate(100, 1);
        }
    }

    @Test
    @Tag("full")
    void allocate_diskFullWhenTheCatalogGrows_failsUntilThereIsSpace() throws Exception {
        Path disk = base("disk");

        List<String> output = SmallDisk.run(ImageChild.class, "fill", disk);

        assertThat(output).hasSize(4);
        assertThat(output.get(0)).contains("Catalog cannot grow: path=" + disk.resolve("memory.catalog"));
        assertThat(output).endsWith("found: false", "problems: []", "lost: 0");
    }
}
