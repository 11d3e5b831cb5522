package dev.arenakit.tool;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

class LsCommandTest {
    private static final long TIB = 1L << 40;
    /// The largest page size that Linux has on the supported machines.
    private static final int PAGE = 1 << 16;

    private final Path directory;

    LsCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.directory = directory;
    }

    @Test
    void ls_base_listsItsFilesInTheOrderOfNumbers() throws IOException {
        write("memory-10", TIB, 0, 8 * PAGE);
        write("memory-9", TIB + 1);
        write("memory-0", 11);
        write("memory", 0);
        write("memory-x", 0);
        write("memory-01", 0);
        write("memory-copy-1", 0);
        ToolRun run = ToolRun.of("ls", directory.resolve("memory").toString());
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo("""
                NAME          SIZE          BYTES  ON DISK   BYTES  EXTENTS
                memory-0      11 B             11      0 B       0        0
                memory-9   1.0 TiB  1099511627777      0 B       0        0
                memory-10    1 TiB  1099511627776  128 KiB  131072        2
                3 files    2.0 TiB  2199023255564  128 KiB  131072        2
                """);
    }

    @Test
    void ls_directory_listsAllImages() throws IOException {
        write("b-0", 0);
        write("a-2", 0);
        write("a-1", 0);
        write("run-20260101-77-0", 0);
        write("notes.txt", 0);
        Files.createDirectory(directory.resolve("directory-1"));
        ToolRun run = ToolRun.of("ls", directory.toString());
        assertThat(run.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactly("NAME", "a-1", "a-2", "b-0", "run-20260101-77-0", "4");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void ls_oneFile_hasNoTotal() throws IOException {
        write("memory-0", 4096);
        assertThat(ToolRun.of("ls", directory.toString()).out()).isEqualTo("""
                NAME       SIZE  BYTES  ON DISK  BYTES  EXTENTS
                memory-0  4 KiB   4096      0 B      0        0
                """);
    }

    @Test
    void ls_hugeFiles_addUpToNoLessThanALongHolds() throws IOException {
        write("memory-0", 5L << 60);
        write("memory-1", 5L << 60);
        assertThat(ToolRun.of("ls", directory.toString()).out()).contains("2 files   8.0 EiB  " + Long.MAX_VALUE);
    }

    @Test
    void ls_onTerminal_hasABoldHeaderAndNothingElse() throws IOException {
        write("memory-0", 1);
        ToolRun run = ToolRun.onTerminal("ls", directory.toString());
        assertThat(run.out().lines().toList()).satisfiesExactly(
                header -> assertThat(header).startsWith("\u001b[1mNAME"),
                row -> assertThat(row).startsWith("memory-0").doesNotContain("\u001b"));
    }

    @Test
    void ls_controlCharactersInAName_doNotReachTheTerminal() throws IOException {
        write("a\u001b[31m-0", 1);
        assertThat(ToolRun.of("ls", directory.toString()).out()).contains("a?[31m-0").doesNotContain("\u001b");
    }

    @Test
    void ls_noSuchImage_saysWhatWasLookedFor() {
        Path base = directory.resolve("memory");
        ToolRun run = ToolRun.of("ls", base.toString());
        assertThat(run.err()).isEqualTo("arena: no directory %1$s and no file %1$s-0, %1$s-1 ...%n".formatted(base));
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void ls_directoryWithoutImages_isAProblem() {
        ToolRun run = ToolRun.of("ls", directory.toString());
        assertThat(run.err()).isEqualTo("arena: no image in directory " + directory + System.lineSeparator());
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void ls_fileThatCannotBeRead_isReportedAndTheOthersListed() throws IOException {
        write("memory-0", 1);
        write("memory-1", 2);
        Path secret = directory.resolve("memory-0");
        assertThat(secret.toFile().setReadable(false)).isTrue();
        assumeFalse(Files.isReadable(secret), "root reads every file");
        ToolRun run = ToolRun.of("ls", directory.toString());
        assertThat(run.err()).isEqualTo("arena: " + secret + ": Permission denied" + System.lineSeparator());
        assertThat(run.out()).contains("memory-1").doesNotContain("memory-0");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void ls_withoutAnArgument_isBadUsageInOneLine() {
        ToolRun run = ToolRun.of("ls");
        assertThat(run.err()).hasLineCount(1).contains("DIR|BASE", "see arena ls --help");
        assertThat(run.exitCode()).isEqualTo(2);
    }

    /// Creates a file, with a page of data at each offset.
    private void write(String name, long byteSize, long... offsets) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
            file.setLength(byteSize);
            for (long offset : offsets) {
                file.seek(offset);
                file.write(new byte[PAGE]);
            }
        }
    }
}
