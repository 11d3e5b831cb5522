package dev.arenakit.tool.hexdump;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class HexdumpCommandTest extends InSharedMemory {
    private static final String HELLO = """
            00000000  48 65 6c 6c 6f                                    |Hello|
            00000005
            """;
    private Path hello = Path.of("");

    @BeforeEach
    void writeHello() throws IOException {
        hello = Files.writeString(directory.resolve("hello"), "Hello");
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
        String hint = "arena: " + base + " is an image: print its allocations with arena hexdump --in " + base
                + " NAME\n";
        assertThat(ToolRun.of("hexdump", base.toString(), hello.toString())).isEqualTo(new ToolRun(1, HELLO, hint));
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
    @CsvSource(delimiter = ' ', value = {"-s 1b", "-s -1", "-n 9E", "-s 1KiB", "--length=x -v"})
    void hexdump_badSize_isBadUsageInOneLine(String first, String second) {
        ToolRun run = ToolRun.of("hexdump", first, second, hello.toString()).exits(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: Invalid value for option '--")
                .endsWith("see arena hexdump --help" + System.lineSeparator());
    }

    @Test
    void hexdump_fullDisk_isReportedAsAFailureOfTheOutput() {
        ToolRun run = ToolRun.withOutput(new Output(ToolRun.failingStream("No space left on device"), false),
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
        ToolRun.withOutput(new Output(OutputStream.nullOutputStream(), false), "hexdump", "-v",
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
    @Tag("full")
    void hexdump_randomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(130);
    }

    /// This test takes some seconds: the real program runs 2,000 times.
    @Test
    @Tag("full")
    @Tag("slow")
    void hexdump_thousandsOfRandomCases_printsWhatTheRealProgramPrints() throws IOException, InterruptedException {
        compare(2_000);
    }

    private void compare(int count) throws IOException, InterruptedException {
        assumeTrue(HexdumpCases.isRealInstalled(), "needs the hexdump of util-linux: apt-get install bsdextrautils");
        for (HexdumpCases.Case dump : HexdumpCases.generate(directory, count)) {
            ToolRun run = ToolRun.of(dump.commandLine().toArray(String[]::new));
            assertThat(run.out()).as("%s", dump.commandLine()).isEqualTo(dump.expected());
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void hexdump_allocationOfAChunk_isDumpedAsAFile() throws IOException {
        byte[] bytes = new byte[100_000];
        Arrays.fill(bytes, 40_000, 70_001, (byte) 'x');
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked().build()) {
            arena.allocate(100, 1).fill((byte) 1);
            arena.names().allocate("bytes", bytes.length, 1).copyFrom(MemorySegment.ofArray(bytes));
            arena.allocate(100, 1).fill((byte) 2);
        }
        Path file = Files.write(base.resolveSibling("bytes"), bytes);
        assertThat(hexdump("bytes").out()).isEqualTo(ToolRun.of("hexdump", file.toString()).out());
        assertThat(hexdump("bytes", "-s", "77", "-n", "50000").out())
                .isEqualTo(ToolRun.of("hexdump", "-s", "77", "-n", "50000", file.toString()).out());
    }

    @Test
    void hexdump_severalNames_haveHeadings() throws IOException {
        TestImage.closed(base);
        String label = TestImage.label(base, 3);
        ToolRun run = hexdump("trades", label, "-n", "16");
        assertThat(run.out()).isEqualTo("""
                ==> trades <==
                00000000  01 00 00 00 00 00 00 10  00 00 00 00 00 00 00 00  |................|
                00000010

                ==> %s <==
                00000000  00 00 00 00 01 00 00 00  04 00 00 00 09 00 00 00  |................|
                00000010
                """.formatted(label));
    }

    @Test
    void hexdump_annotate_namesTheFields() {
        TestImage.closed(base);
        assertThat(hexdump("trades", "--annotate", "-n", "48").out()).isEqualTo("""
                00000000  01 00 00 00 00 00 00 10  00 00 00 00 00 00 00 00  |................|  [0].id, [0].side
                00000010  00 00 00 00 00 00 23 40  41 52 4e 41 00 00 00 00  |......#@ARNA....|  [0].price, [0].symbol
                00000020  ff ff ff ff ff ff ff ff  01 00 00 00 00 00 00 00  |................|  [1].id, [1].side
                00000030
                """);
    }

    @Test
    void hexdump_annotateOnATerminal_isInColour() {
        TestImage.closed(base);
        assertThat(ToolRun.onTerminal("hexdump", "--in", base.toString(), "trades", "--annotate", "-n", "16").out())
                .contains("|  \u001b[36m[0].id, [0].side\u001b[0m\n");
    }

    @Test
    void hexdump_annotateWithoutAType_dumpsAndSaysWhy() throws IOException {
        TestImage.closed(base);
        String label = TestImage.label(base, 3);
        ToolRun run = hexdump(label, "--annotate", "-n", "4").exits(0);
        assertThat(run.out()).startsWith("00000000  00 00 00 00  ").hasLineCount(2);
        assertThat(run.err())
                .isEqualTo("arena: " + label + ": its fields cannot be named, since its type is not recorded\n");
    }

    @Test
    void hexdump_terabyteOfHole_isAFewLines() {
        using(InfiniteArena.ofShared(base),
                arena -> arena.names().allocate("huge", JAVA_BYTE, 1L << 40).set(JAVA_BYTE, 1L << 39, (byte) 'x'));
        assertThat(hexdump("huge").out()).isEqualTo("""
                00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                *
                8000000000  78 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |x...............|
                8000000010  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                *
                10000000000
                """);
    }

    @Test
    void hexdump_unknownName_isReportedAndTheOthersDumped() {
        TestImage.closed(base);
        ToolRun run = hexdump("old", "trades", "-n", "0").exits(1);
        assertThat(run.err())
                .isEqualTo("arena: " + base + ": no allocation named old (try arena ls)\n");
        assertThat(run.out()).isEqualTo("==> trades <==\n");
    }

    @Test
    void hexdump_missingFile_isReported() throws IOException {
        TestImage.closed(base);
        Files.delete(base.resolveSibling("memory-0"));
        assertThat(hexdump("trades").exits(1).err()).isEqualTo("arena: trades: No such file or directory\n");
    }

    @Test
    void hexdump_inWithoutNames_isBadUsage() {
        TestImage.closed(base);
        assertThat(hexdump().exits(2).err()).hasLineCount(1).contains("Missing NAME", "see arena hexdump --help");
    }

    @Test
    void hexdump_annotateOfAFile_isBadUsage() {
        assertThat(ToolRun.of("hexdump", "--annotate", "x").exits(2).err()).hasLineCount(1)
                .contains("'--annotate' needs '--in'");
    }

    private ToolRun hexdump(String... args) {
        List<String> line = new ArrayList<>(List.of("hexdump", "--in", base.toString()));
        line.addAll(List.of(args));
        return ToolRun.of(line.toArray(String[]::new));
    }
}
