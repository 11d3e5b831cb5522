package dev.arenakit.tool.hexdump;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Output;
import dev.arenakit.tool.hexdump.HexdumpCase.Feature;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class HexdumpCommandTest {
    private static final String HELLO = """
            00000000  48 65 6c 6c 6f                                    |Hello|
            00000005
            """;
    private final Path directory;
    private final Path hello;

    HexdumpCommandTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.hello = Files.writeString(directory.resolve("hello"), "Hello");
    }

    @Test
    void hexdump_file_isPrinted() {
        assertThat(ToolRun.of("hexdump", hello.toString()).succeeds().out()).isEqualTo(HELLO);
    }

    @Test
    void hexdump_noFile_isStandardInput() {
        byte[] in = "Say Hello".getBytes(US_ASCII);
        assertThat(ToolRun.withInput(in, "hexdump", "-s", "4", "--length", "0x2").out()).isEqualTo("""
                00000004  48 65                                             |He|
                00000006
                """);
    }

    @Test
    void hexdump_fileNamedLikeAnArgumentFile_isThatFile() throws IOException {
        Files.copy(hello, directory.resolve("@hello"));
        assertThat(ToolRun.of("hexdump", directory.resolve("@hello").toString()).out()).isEqualTo(HELLO);
    }

    @Test
    void hexdump_missingFileAndDirectory_areReportedAndTheOthersDumped() {
        Path missing = directory.resolve("missing");
        ToolRun run = ToolRun.of("hexdump", missing.toString(), directory.toString(), hello.toString()).exits(1);
        assertThat(run.out()).isEqualTo(HELLO);
        assertThat(run.err()).isEqualTo("arena: %s: No such file or directory%narena: %s: Is a directory%n"
                .formatted(missing, directory));
    }

    @Test
    void hexdump_baseOfAnImage_saysHowToNameAnAllocation() {
        Path base = directory.resolve("mem");
        InfiniteArena.ofShared(base).close();
        String hint = "arena: " + base + " is an image: print its allocations with arena hexdump --in " + base;
        ToolRun run = ToolRun.of("hexdump", base.toString(), "blob", "#7");
        assertThat(run).isEqualTo(new ToolRun(1, "", hint + " blob '#7'\n"));
        assertThat(ToolRun.of("hexdump", base.toString()).err()).isEqualTo(hint + " NAME\n");
        ToolRun mixed = ToolRun.of("hexdump", base.toString(), hello.toString(), "blob");
        assertThat(mixed).isEqualTo(new ToolRun(1, HELLO, hint + " blob\n"));
    }

    @Test
    void hexdump_missingFileBetweenOthers_isNoPartOfTheSkip() {
        ToolRun run = ToolRun.of("hexdump", "-s", "7", hello.toString(), directory.resolve("x").toString(),
                hello.toString()).exits(1);
        assertThat(run.out()).isEqualTo("""
                00000007  6c 6c 6f                                          |llo|
                0000000a
                """);
    }

    @Test
    void hexdump_controlCharactersInAName_doNotReachTheTerminal() {
        ToolRun run = ToolRun.of("hexdump", directory.resolve("a\nb\u001b[31m").toString());
        assertThat(run.err()).hasLineCount(1).contains("a?b?[31m: No such file");
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {"-s 1b", "-s -1", "-n 08", "-n 9E", "-s 1KIB", "--length=x -v"})
    void hexdump_badSize_isBadUsageInOneLine(String first, String second) {
        ToolRun run = ToolRun.of("hexdump", first, second, hello.toString()).exits(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: Invalid value for option '--")
                .endsWith("see arena hexdump --help" + System.lineSeparator());
    }

    @Test
    void hexdump_unknownOption_isBadUsageInOneLine() {
        assertThat(ToolRun.of("hexdump", "-q").exits(2).err()).hasLineCount(1).contains("-q");
    }

    @Test
    void hexdump_closedPipe_isSilent() {
        ToolRun.withOutput(new Output(ToolRun.failingStream("Broken pipe"), true, () -> {}), "hexdump",
                hello.toString()).succeeds();
    }

    @Test
    void hexdump_fullDisk_isReportedAsAFailureOfTheOutput() {
        ToolRun run = ToolRun.withOutput(new Output(ToolRun.failingStream("No space left on device"), false, () -> {}),
                "hexdump",
                hello.toString()).exits(1);
        assertThat(run.err()).isEqualTo("arena: standard output: No space left on device" + System.lineSeparator());
    }

    @Test
    void hexdump_hundredThousandsOfLines_leavesNoGarbagePerLine() throws IOException {
        Path small = Files.write(directory.resolve("small"), new byte[1 << 16]);
        Path large = Files.write(directory.resolve("large"), new byte[1 << 22]);
        long lines = ((1 << 22) - (1 << 16)) / 16;
        assertThat(leastAllocatedBy(large) - leastAllocatedBy(small)).isLessThan(lines);
    }

    /// The smallest result of several runs, since interpreted code makes objects that compiled code does not make.
    private static long leastAllocatedBy(Path file) {
        return LongStream.range(0, 10).map(_ -> allocatedBy(file)).min().orElseThrow();
    }

    private static long allocatedBy(Path file) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ToolRun.withOutput(new Output(OutputStream.nullOutputStream(), false, () -> {}), "hexdump", "-v",
                file.toString());
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /// The addresses before the bytes cannot be read.
    @Test
    void hexdump_memoryOfAProcess_isReadAtItsAddress() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment hello = arena.allocateFrom("Hello");
            ToolRun run = ToolRun.of("hexdump", "-s", Long.toString(hello.address()), "-n", "5", "/proc/self/mem");
            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("48 65 6c 6c 6f ").contains("|Hello|");
        }
    }

    @Test
    void hexdump_endlessDevice_isReadAtAnOffset() {
        // Zeros are read at some gigabytes a second, an exabyte would take years.
        assertThat(ToolRun.of("hexdump", "-s", "0x1000000000000000", "-n", "2", "/dev/zero").out())
                .isEqualTo("""
                        1000000000000000  00 00                                             |..|
                        1000000000000002
                        """);
    }

    @Test
    void hexdump_skipBeyondASmallFile_goesOnInTheNext() {
        assertThat(ToolRun.of("hexdump", "-s", "7", hello.toString(), hello.toString()).out()).isEqualTo("""
                00000007  6c 6c 6f                                          |llo|
                0000000a
                """);
    }

    @Test
    @Tag("full")
    void hexdump_randomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(130, 5);
    }

    /// This test takes some seconds: the real program runs 2,000 times.
    @Test
    @Tag("full")
    @Tag("slow")
    void hexdump_thousandsOfRandomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(2_000, 80);
    }

    private void compare(int count, int perFeature) throws IOException, InterruptedException {
        assumeTrue(HexdumpCases.isRealInstalled(), "needs the hexdump of util-linux: apt-get install bsdextrautils");
        List<HexdumpCase> cases = HexdumpCases.generate(directory, count);
        Map<Feature, Integer> counts = new EnumMap<>(Feature.class);
        for (HexdumpCase dump : cases) {
            String[] commandLine = dump.commandLine();
            ToolRun run = ToolRun.of(commandLine);
            assertThat(run.out()).as("%s", List.of(commandLine)).isEqualTo(dump.expected());
            assertThat(run.err()).isEmpty();
            dump.features().forEach(feature -> counts.merge(feature, 1, Integer::sum));
        }
        assertThat(counts).containsOnlyKeys(Feature.values());
        assertThat(counts.values()).as("%s", counts).allMatch(found -> found >= perFeature);
    }
}
