package dev.arenakit.diagnostics;

import dev.arenakit.internal.PageMappings;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// JVMs that are terminated at a guard page, and the reports about them.
class CrashReportTest {
    @TempDir
    private Path directory;

    @BeforeAll
    static void requireGuardPages() {
        assumeTrue(PageMappings.isSupported(), "no guard pages on this system");
    }

    private ChildJvm child(String... options) {
        return ChildJvm.onClassPath(Stream.concat(
                Stream.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m",
                        "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + directory + "/hs_err_pid%p.log"),
                Stream.of(options)).toArray(String[]::new));
    }

    private Path crashFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("hs_err")).findFirst().orElseThrow();
        }
    }

    @Test
    @Tag("full")
    void onError_afterAMemsetOf8BytesTooMany_printsTheBlockAndItsStack() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = Path.of("target", "classes").toAbsolutePath().toString();
        ChildJvm.Result result = child("-XX:OnError=" + java + " -XX:TieredStopAtLevel=1 -cp '" + classes
                + "' dev.arenakit.diagnostics.CrashReport " + directory + "/hs_err_pid%p.log")
                .run(CrashSession.class, "BEHIND", directory.toString());
        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output()).contains("The process was terminated by an access to memory: pid=",
                "The address is 0 bytes behind the end of a block: offset=96\n    allocated block=2 address=0x",
                " byteSize=96 byteAlignment=8 ", " thread=main\n    at ",
                "CrashSession.allocateRecord(CrashSession.java:",
                "The access was made by:\n    C  [libc.so", "CrashSession.memset(");
        assertThat(result.output()).doesNotContain("DebugBlocks", "not reached");
    }

    @Test
    void of_afterAWriteBeforeTheBlock_findsTheBlock() throws IOException {
        ChildJvm.Result result = child().run(CrashSession.class, "BEFORE", directory.toString());
        assertThat(result.output()).doesNotContain("not reached");
        assertThat(CrashReport.of(crashFile(), List.of())).contains(
                "The address is 8 bytes before the start of a block: offset=-8\n    allocated block=2 address=0x",
                "CrashSession.allocateRecord(CrashSession.java:");
        for (Path file : blockFiles()) {
            assertThat(CrashReport.of(crashFile(), List.of(file))).contains("offset=-8");
            Files.delete(file);
        }
        assertThat(CrashReport.of(crashFile(), List.of()))
                .contains("No block of a debug arena is at the address: blocks=0; the access was not near a block, its "
                        + "arena had no block file, or the arena was closed before the access: "
                        + "use DebugOptions.withQuarantine\n")
                .contains("CrashSession.memset(");
    }

    @Test
    @Tag("full")
    void of_afterAnAccessToABlockWhoseArenaWasClosed_namesTheBlockAndBothPlaces() throws IOException {
        ChildJvm.Result result = child().run(CrashSession.class, "LATE", directory.toString(), "1000000");
        assertThat(result.output()).doesNotContain("not reached");
        assertThat(CrashReport.of(crashFile(), List.of())).contains(
                "The address is inside a block whose arena was closed: offset=0\n    allocated block=2 address=0x",
                "CrashSession.allocateRecord(CrashSession.java:", "\n    closed thread=main\n    at ",
                "CrashSession.closeTooEarly(CrashSession.java:", "CrashSession.memset(")
                .doesNotContain("DebugBlocks", "SharedClose");
    }

    @Test
    @Tag("full")
    void quarantine_whenTheProcessEndsWell_leavesNoBlockFile() {
        ChildJvm.Result result = child().run(CrashSession.class, "END", directory.toString(), "1000000");
        assertThat(result.exitCode()).isZero();
        assertThat(directory).isEmptyDirectory();
    }

    private List<Path> blockFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.filter(file -> file.getFileName().toString().startsWith("debug_blocks")).toList();
            assertThat(all).hasSize(1);
            return all;
        }
    }

    @Test
    void of_anotherFile_isRefused() throws IOException {
        Path file = Files.writeString(directory.resolve("text"), "pid=12\n");
        assertThatThrownBy(() -> CrashReport.of(file, List.of())).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Not a crash file of an access to memory: file=" + file
                        + ", missing=the address of the access (si_addr); ");
        Path crash = Files.writeString(directory.resolve("crash"), "pid=12\nsi_addr: 0x1000\n");
        assertThatThrownBy(() -> CrashReport.of(crash, List.of(file))).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Not a block file: file=" + file);
    }

    /// Files of others in the directory: one that another thread was about to write, one that cannot be read, and one
    /// whose numbers are too large.
    @Test
    void of_aDirectoryWithBadFiles_findsTheBlock() throws IOException {
        Path crash = Files.writeString(directory.resolve("crash"), "pid=12, \nsiginfo: si_addr: 0x0000000000003000\n");
        Files.createFile(directory.resolve("debug_blocks_pid12_1.txt"));
        Files.createDirectory(directory.resolve("debug_blocks_pid12_2.txt"));
        Files.writeString(directory.resolve("debug_blocks_pid12_3.txt"), """
                arenakit blocks 1 pid=12 started=99999999999999999999
                allocated block=1 address=0xfffffffffffffffff memory=0x0 memoryEnd=0xfffffffffffffffff thread=other
                """);
        Files.writeString(directory.resolve("debug_blocks_pid12_4.txt"), """
                arenakit blocks 1 pid=12 started=6
                allocated block=123456789012345678901 address=0x10000000000000000 byteSize=9a memory=0x1 thread=main
                allocated block=1 address=0x2ff8 byteSize=8 byteAlignment=8 memory=0x1000 memoryEnd=0x4000 thread=a\u001b[2J
                """);
        assertThat(CrashReport.of(crash, List.of())).contains("The address is 0 bytes behind the end of a block",
                "\n    allocated block=1 address=0x2ff8 byteSize=8 ", "thread=a?[2J\n",
                "Block file was not read: file=" + directory.resolve("debug_blocks_pid12_1.txt")
                        + ", reason=java.io.IOException: Not a block file",
                "Block file was not read: file=" + directory.resolve("debug_blocks_pid12_2.txt")
                        + ", reason=java.io.IOException: Is a directory");
    }

    @Test
    void of_aCrashFileWithNumbersThatAreTooLarge_isRefused() throws IOException {
        Path crash = Files.writeString(directory.resolve("crash"),
                "pid=12345678901234567890\nsi_addr: 0x12345678901234567\n");
        assertThatThrownBy(() -> CrashReport.of(crash, List.of())).isInstanceOf(IOException.class)
                .hasMessageStartingWith("Not a crash file of an access to memory: file=");
    }

    /// Blocks at one address: of an earlier process with the same number, of a block that was never handed out, and the
    /// one that was. The last line is cut, as by the death of the process.
    @Test
    void of_severalBlocksAtTheAddress_takesTheLastOfTheLastProcess() throws IOException {
        Path crash = Files.writeString(directory.resolve("crash"),
                "pid=12, \nNative frames: (J=compiled)\nC  [libc.so+0x1]\n\nsiginfo: si_addr: 0x0000000000003000\n");
        Files.writeString(directory.resolve("debug_blocks_pid12_1.txt"), """
                arenakit blocks 1 pid=12 started=5
                allocated block=7 address=0x2ff0 byteSize=16 byteAlignment=8 memory=0x1000 memoryEnd=0x4000 thread=old
                """);
        Files.writeString(directory.resolve("debug_blocks_pid12_2.txt"), """
                arenakit blocks 1 pid=12 started=6
                allocated block=1 address=0x2ff8 byteSize=8 byteAlignment=8 memory=0x1000 memoryEnd=0x4000 thread=main
                allocated block=2 address=0x2fe0 byteSize=30 byteAlignment=8 memory=0x1000 memoryEnd=0x4000 thread=a=0xq
                \tat A.b(A.java:1)
                freed block=2 thread=main
                \tat C.d(""");
        assertThat(CrashReport.of(crash, List.of())).isEqualTo("""
                The process was terminated by an access to memory: pid=12, address=0x3000
                The address is 2 bytes behind the end of a block: offset=32
                    allocated block=2 address=0x2fe0 byteSize=30 byteAlignment=8 memory=0x1000 memoryEnd=0x4000 thread=a=0xq
                    at A.b(A.java:1)
                    freed block=2 thread=main
                    at C.d(
                The access was made by:
                    C  [libc.so+0x1]
                """);
    }
}
