package dev.arenakit.tool.ls;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.testing.ChildJvm;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.Main;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.arenakit.tool.TestImage.cells;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

class LsCommandTest extends InSharedMemory {
    private static final long TIB = 1L << 40;
    /// The largest page size that Linux has on the supported machines.
    private static final int PAGE = 1 << 16;
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    @Test
    void ls_baseWithoutACatalog_saysWhatListsItsFiles() throws IOException {
        write("memory-10", 8 * PAGE);
        assertThat(ls("memory").exits(1).err()).isEqualTo("arena: " + directory.resolve("memory")
                + ": no catalog, only data files: ls -ls lists them, arena hexdump prints one\n");
    }

    @Test
    void ls_dataFile_namesItsImage() throws IOException {
        write("memory-0", 4096);
        assertThat(ls("memory-0").exits(1).err()).isEqualTo("arena: " + directory.resolve("memory-0")
                + " is a data file of an image (try arena ls " + directory.resolve("memory")
                + ", or arena hexdump " + directory.resolve("memory-0") + ")\n");
    }

    @Test
    void ls_hugeFiles_addUpToNoLessThanALongHolds() throws IOException {
        write("memory-0", 5L << 60);
        write("memory-1", 5L << 60);
        assertThat(cells(ToolRun.of("ls", directory.toString()).out()))
                .contains("memory|2|8.0 EiB|0 B|no catalog|0");
    }

    @Test
    void ls_directory_listsImagesInAllTheirStates() throws IOException, InterruptedException {
        TestImage.closed(directory.resolve("closed"));
        Process dead = TestImage.killed(directory.resolve("died"));
        write("files-7", TIB);
        write("notes.txt", 0);
        Files.createDirectory(directory.resolve("directory-1"));
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("open")).chunked(PAGE).build()) {
            arena.allocate(8, 8);
            ToolRun run = ToolRun.of("ls", directory.toString()).succeeds();
            assertThat(cells(run.out())).satisfiesExactly(
                    titles -> assertThat(titles).isEqualTo("NAME|FILES|ALLOCATIONS|SIZE|ON DISK|STATE|OWNER|EXTENTS"),
                    closed -> assertThat(closed)
                            .matches("closed\\|4\\|3\\|9.0 MiB\\|.*iB\\|closed\\|" + pid() + ", " + TIME + "\\|\\d+"),
                    died -> assertThat(died)
                            .matches("died\\|5\\|4\\|9.0 MiB\\|.*iB\\|died\\|" + dead.pid() + ", " + TIME + "\\|\\d+"),
                    files -> assertThat(files).isEqualTo("files|1|1 TiB|0 B|no catalog|0"),
                    open -> assertThat(open)
                            .matches("open\\|1\\|1\\|8 B\\|.*iB\\|open\\|" + pid() + ", " + TIME + "\\|\\d+"));
        }
    }

    @Test
    void ls_base_printsOwnerAndAllocations() throws IOException, InterruptedException {
        Process dead = TestImage.killed(directory.resolve("memory"));
        ToolRun run = ls("memory").succeeds();
        String made = "\\|" + TIME + "\\|\\d+\\|\\d+";
        assertThat(cells(run.out())).satisfiesExactly(
                image -> assertThat(image).matches("memory: 4 allocations of 9.0 MiB, 1 freed; 5 files, .* on disk"),
                owner -> assertThat(owner).matches("died: process " + dead.pid() + ", started " + TIME
                        + ", ended without closing it"),
                jvm -> assertThat(jvm).startsWith("jvm: " + System.getProperty("java.vm.name")),
                empty -> assertThat(empty).isEmpty(),
                titles -> assertThat(titles).isEqualTo("NAME|TYPE|SIZE|WRITTEN|STATE|MADE|THREAD|EXTENTS"),
                trades -> assertThat(trades).matches("trades\\|Trade\\[1000]\\|31.3 KiB\\|.*\\|live" + made),
                old -> assertThat(old).matches("old\\|Trade\\[10]\\|320 B\\|0 B\\|freed" + made),
                prices -> assertThat(prices).matches("prices\\|double\\[1048576]\\|8 MiB\\|.*\\|live" + made),
                unknown -> assertThat(unknown).matches("#\\d+\\|1 MiB\\|.*\\|live" + made),
                counter -> assertThat(counter).matches("counter\\|int64_t\\|8 B\\|8 B\\|live" + made));
    }

    @Test
    void ls_chunkWithLittleData_countsWhatIsInEachAllocation() {
        Path base = directory.resolve("memory");
        try (InfiniteArena arena = InfiniteArena.builder(base)
                .chunked(1 << 26)
                .catalog(CatalogLevel.SIZES)
                .build()) {
            arena.allocate(PAGE, PAGE).fill((byte) 1);
            arena.allocate(10 * PAGE, PAGE).asSlice(PAGE, 2 * PAGE).fill((byte) 1);
            arena.allocate(PAGE, PAGE);
            arena.allocate(3 * PAGE, PAGE).fill((byte) 1);
        }
        assertThat(cells(ls("memory").out()).subList(4, 9)).map(line -> line.replaceFirst("#[0-9]+", "#"))
                .containsExactlyInAnyOrder("NAME|SIZE|WRITTEN|STATE|EXTENTS", "#|64 KiB|64 KiB|live|1",
                        "#|640 KiB|128 KiB|live|1",
                        "#|64 KiB|0 B|live|0", "#|192 KiB|192 KiB|live|1");
    }

    @ParameterizedTest
    @CsvSource({"name,empty large small", "size,large small empty", "disk,small large empty",
            "extents,large small empty"})
    void ls_sorted_beginsWithTheLargest(String column, String names) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("memory")).chunked(1 << 26).build()) {
            MemorySegment small = arena.names().allocate("small", JAVA_BYTE, 9 * PAGE);
            small.asSlice(0, 4 * PAGE).fill((byte) 1);
            small.asSlice(8 * PAGE).fill((byte) 1);
            MemorySegment large = arena.names().allocate("large", JAVA_BYTE, 32 * PAGE);
            for (long page = 0; page < 3; page++) {
                large.asSlice(4 * page * PAGE, PAGE).fill((byte) 1);
            }
            arena.names().allocate("empty", JAVA_BYTE, PAGE);
        }
        String base = directory.resolve("memory").toString();
        List<String> lines = cells(ToolRun.of("ls", "--sort", column, base).out());
        assertThat(lines.subList(5, 8)).extracting(line -> line.split("\\|", -1)[0])
                .containsExactly(names.split(" ", -1));
        ToolRun json = ToolRun.of("ls", "--json", "--sort", column, base);
        assertThat(json.out().lines().skip(2)).extracting(line -> line.split("\"", -1)[7])
                .containsExactly(names.split(" ", -1));
    }

    @Test
    void ls_directorySorted_beginsWithTheLargest() throws IOException {
        Files.write(directory.resolve("a-0"), new byte[1]);
        write("b-0", TIB);
        Files.write(directory.resolve("c-0"), new byte[PAGE]);
        assertThat(cells(ToolRun.of("ls", "--sort", "size", directory.toString()).out()))
                .extracting(line -> line.split("\\|", -1)[0])
                .containsExactly("NAME", "b", "c", "a");
        assertThat(cells(ToolRun.of("ls", "--sort", "disk", directory.toString()).out()))
                .extracting(line -> line.split("\\|", -1)[0])
                .containsExactly("NAME", "c", "a", "b");
    }

    @Test
    void ls_lostFiles_areToldAndAProblem() throws IOException {
        TestImage.closed(directory.resolve("memory"));
        Files.delete(directory.resolve("memory-0"));
        TestImage.truncate(directory.resolve("memory-2"), 100);
        ToolRun run = ls("memory").exits(1);
        assertThat(run.out()).contains("3 allocations of 9.0 MiB, 1 freed, 2 damaged; 3 files");
        assertThat(cells(run.out()))
                .anySatisfy(line -> assertThat(line).startsWith("trades|Trade[1000]|31.3 KiB|0 B|missing file|"))
                .anySatisfy(line -> assertThat(line).startsWith("prices|double[1048576]|8 MiB|0 B|truncated file|"));
    }

    @Test
    void ls_catalogFile_meansItsImage() {
        Path base = TestImage.closed(directory.resolve("memory"));
        assertThat(ls("memory.catalog")).isEqualTo(ToolRun.of("ls", base.toString()));
    }

    @Test
    void ls_imageWithoutAllocations_isAHeading() {
        InfiniteArena.ofShared(directory.resolve("memory")).close();
        assertThat(ls("memory").exits(0).out()).hasLineCount(3)
                .matches("(?s)memory: 0 allocations of 0 B; 0 files, .*iB on disk\nclosed: .*");
    }

    @Test
    void ls_garbageForACatalog_isToldAndTheOthersListed() throws IOException {
        TestImage.closed(directory.resolve("a"));
        Files.writeString(directory.resolve("b.catalog"), "garbage");
        ToolRun run = ToolRun.of("ls", directory.toString()).exits(1);
        assertThat(run.err()).hasLineCount(1).startsWith("arena: " + directory.resolve("b.catalog") + ": ");
        assertThat(cells(run.out())).anySatisfy(line -> assertThat(line).startsWith("a|4|3|"))
                .anySatisfy(line -> assertThat(line).matches("b\\|0\\|0 B\\|.*iB\\|unreadable\\|\\d+"));
    }

    @Test
    void ls_onATerminal_titlesAreBoldAndStatesHaveColours() throws IOException, InterruptedException {
        write("loose-0", 1);
        TestImage.killed(directory.resolve("died"));
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("open"))) {
            arena.names().allocate("lost", JAVA_LONG, 1);
            assertThat(ToolRun.onTerminal("ls", directory.toString()).out()).startsWith("\u001b[1mNAME")
                    .contains("\u001b[31mdied\u001b[0m  ", "\u001b[32mopen\u001b[0m  ",
                            "\u001b[33mno catalog\u001b[0m  ");
            Files.delete(directory.resolve("open-0"));
            assertThat(ToolRun.onTerminal("ls", directory.resolve("open").toString()).out())
                    .contains("\u001b[32mopen\u001b[0m: process", "\u001b[31mmissing file\u001b[0m",
                            "\u001b[31m1 damaged\u001b[0m");
        }
    }

    @Test
    void ls_longNames_areWhole() {
        Path base = directory.resolve("memory");
        String name = "the history of all trades and of all other things in the world";
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.names().allocate(name, TestImage.TRADE, 1000);
            arena.names().allocate("\u6f22\u5b57".repeat(30), JAVA_LONG, 1);
        }
        assertThat(ToolRun.of("ls", base.toString()).out()).contains(name, "\u6f22\u5b57".repeat(30));
    }

    @Test
    void ls_controlCharactersInAName_doNotReachTheTerminal() throws IOException {
        write("a\u001b[31m\u202e-0", 1);
        assertThat(ToolRun.of("ls", directory.toString()).out()).contains("a?[31m?  ")
                .doesNotContain("\u001b", "\u202e");
    }

    @Test
    void ls_noSuchImage_saysWhatWasLookedFor() {
        Path base = directory.resolve("memory");
        ToolRun run = ls("memory").exits(1);
        assertThat(run.err()).isEqualTo(
                "arena: %1$s is neither a directory nor the base of an image (%1$s.catalog, %1$s-0, %1$s-1 ...)%n"
                        .formatted(base));
        assertThat(run.out()).isEmpty();
    }

    @Test
    void ls_directoryWithoutImages_isAProblem() {
        assertThat(ToolRun.of("ls", directory.toString()).exits(1).err())
                .isEqualTo("arena: no image in directory " + directory + System.lineSeparator());
    }

    @Test
    @Tag("full")
    void ls_fileThatCannotBeRead_isReportedAndTheOthersListed() throws Exception {
        write("memory-0", 1);
        write("other-0", 2);
        Path secret = directory.resolve("memory-0");
        Files.setPosixFilePermissions(secret, Set.of());
        ProcessBuilder ls = ChildJvm.granted().command(Main.class, "ls", directory.toString());
        if (Files.isReadable(secret)) {
            // Root reads every file, unless it gives up these capabilities.
            InstalledPrograms.assume("setpriv", "apt-get install util-linux");
            String capabilities = "-dac_override,-dac_read_search";
            ls.command()
                    .addAll(0,
                            List.of("setpriv", "--bounding-set=" + capabilities, "--inh-caps=" + capabilities));
        }
        Process run = ls.start();
        String output = new String(run.getInputStream().readAllBytes(), UTF_8);
        assumeFalse(output.startsWith("setpriv: "), () -> "needs an ordinary user: " + output);
        assertThat(output.lines()).anySatisfy(
                line -> assertThat(line).isEqualTo("arena: " + secret + ": Permission denied"))
                .anySatisfy(line -> assertThat(line).matches("other +1 +2 B .*"));
        assertThat(run.waitFor()).isEqualTo(1);
    }

    @Test
    void ls_withoutAnArgument_listsTheCurrentDirectory() {
        // The current directory may or may not contain images. The command line is correct in either case.
        ToolRun run = ToolRun.of("ls");
        assertThat(List.of(0, 1)).contains(run.exitCode());
        assertThat(run.err() + run.out()).containsAnyOf("no image in directory " + Path.of("").toAbsolutePath(),
                "NAME");
    }

    private ToolRun ls(String base) {
        return ToolRun.of("ls", directory.resolve(base).toString());
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    /// Creates a file that is a hole.
    private void write(String name, long byteSize) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
            file.setLength(byteSize);
        }
    }
}
