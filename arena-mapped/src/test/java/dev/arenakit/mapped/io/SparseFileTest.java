package dev.arenakit.mapped.io;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests sparse files on a tmpfs. It allocates pages when they are written, so that the sizes are known.
class SparseFileTest extends InDirectory {
    private static final long TIB = 1L << 40;
    private static final long GIB = 1L << 30;
    /// The largest page size that Linux has on the supported machines.
    private static final int PAGE = 1 << 16;

    private Path path = base;

    @Test
    void transferTo_dataBetweenHoles_reportsEachRun() throws IOException {
        write(TIB, GIB, 2 * GIB);
        Recorder recorder = new Recorder();
        assertThat(transfer(recorder, 0, Long.MAX_VALUE)).isZero();
        assertThat(recorder.runs).containsExactly("zeros " + GIB, "data " + PAGE, "zeros " + (GIB - PAGE),
                "data " + PAGE, "zeros " + (TIB - 2 * GIB - PAGE));
    }

    @ParameterizedTest
    @CsvSource({"-1073741819, 100, zeros 100", "5, 100, data 100", "-100, 66536, zeros 100;data 66436"})
    void transferTo_range_isItsRuns(long afterTheBeginningOfData, long byteSize, String runs) throws IOException {
        write(TIB, GIB);
        Recorder recorder = new Recorder();
        assertThat(transfer(recorder, GIB + afterTheBeginningOfData, byteSize))
                .isEqualTo(GIB + afterTheBeginningOfData);
        assertThat(recorder.runs).containsExactly(runs.split(";", -1));
    }

    @Test
    void nextDataAndHole_sparseFile_areTheBordersOfData() throws IOException {
        write(TIB, GIB);
        try (SparseFile file = open()) {
            assertThat(file.nextData(0)).hasValue(GIB);
            assertThat(file.nextData(GIB + 5)).hasValue(GIB + 5);
            assertThat(file.nextHole(GIB + 5)).hasValue(GIB + PAGE);
            assertThat(file.nextHole(5)).hasValue(5);
            assertThat(file.nextData(GIB + PAGE)).isEmpty();
            assertThat(file.nextHole(TIB)).isEmpty();
            assertThatIllegalArgumentException().isThrownBy(() -> file.nextData(-1))
                    .withMessage("Offset is negative: byteOffset=-1");
            assertThatIllegalArgumentException().isThrownBy(() -> file.nextHole(-1))
                    .withMessage("Offset is negative: byteOffset=-1");
        }
    }

    @Test
    void transferTo_skipPastTheEnd_transfersNothing() throws IOException {
        write(100);
        Recorder recorder = new Recorder();
        assertThat(transfer(recorder, 100, 10)).isEqualTo(100);
        assertThat(transfer(recorder, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(100);
        assertThat(recorder.runs).isEmpty();
    }

    @Test
    void transferTo_fileTruncatedInData_endsThere() throws IOException {
        write(TIB, 0, PAGE, 2 * PAGE, 3 * PAGE, GIB);
        Recorder recorder = new Recorder(() -> resize(PAGE + 7));
        transfer(recorder, 0, Long.MAX_VALUE);
        // The buffer may contain bytes that were read before the file became shorter.
        assertThat(recorder.byteSize).isBetween(PAGE + 7L, 4L * PAGE);
    }

    @Test
    void transferTo_fileTruncatedInAHole_endsAtTheNewEnd() throws IOException {
        write(TIB, 0);
        Recorder recorder = new Recorder(() -> resize(GIB));
        transfer(recorder, 0, Long.MAX_VALUE);
        assertThat(recorder.byteSize).isEqualTo(GIB);
    }

    @Test
    void transferTo_fileThatGrows_endsAtTheOldEnd() throws IOException {
        write(GIB, 0);
        Recorder recorder = new Recorder(() -> resize(TIB));
        transfer(recorder, 0, Long.MAX_VALUE);
        assertThat(recorder.byteSize).isEqualTo(GIB);
    }

    @Test
    void sizes_sparseFile_areApparentAndReal() throws IOException {
        write(TIB, 0, GIB, GIB + PAGE, 5 * GIB);
        try (SparseFile file = open()) {
            assertThat(file.byteSize()).isEqualTo(TIB);
            assertThat(file.storedByteSize()).hasValue(4L * PAGE);
            assertThat(file.extentCount()).hasValue(3);
            assertThat(file.holesUnknown()).isEmpty();
        }
    }

    @Test
    void sizes_emptyFile_areZero() throws IOException {
        write(0);
        try (SparseFile file = open()) {
            assertThat(file.byteSize()).isZero();
            assertThat(file.storedByteSize()).hasValue(0);
            assertThat(file.extentCount()).hasValue(0);
        }
    }

    @Test
    void open_nameThatAUriWouldChange_isThatFile() throws IOException {
        TestFileSystem.assumeHoles(directory);
        path = directory.resolve("a b%41#?+;\\ \n");
        write(GIB, 0);
        try (SparseFile file = open()) {
            assertThat(file.extentCount()).hasValue(1);
        }
    }

    @Test
    void open_fileInAnArchive_isReadInFull() throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path archive = directory.resolve("archive.zip");
        try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
            path = Files.writeString(zip.getPath("entry"), "x".repeat(PAGE));
            Recorder recorder = new Recorder();
            transfer(recorder, 1, Long.MAX_VALUE);
            assertThat(recorder.runs).containsExactly("data " + (PAGE - 1));
            try (SparseFile file = open()) {
                assertThat(file.holesUnknown().orElse("")).contains("provider=jar");
                assertThat(file.storedByteSize()).isEmpty();
                assertThat(file.extentCount()).isEmpty();
            }
        }
    }

    @Test
    void open_missingFile_throws() {
        assertThatThrownBy(() -> SparseFile.open(path)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void open_directory_throwsWithPath() {
        assertThatThrownBy(() -> SparseFile.open(directory)).isInstanceOf(IOException.class)
                .hasMessage("Not a regular file: path=" + directory);
    }

    @Test
    void close_thenUse_throwsAndLeavesOtherFilesAlone() throws IOException {
        write(GIB, 0);
        SparseFile file = open();
        file.close();
        file.close();
        try (SparseFile other = open()) {
            assertThatThrownBy(file::extentCount).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(file::storedByteSize).isInstanceOf(ClosedChannelException.class);
            assertThatThrownBy(file::byteSize).isInstanceOf(ClosedChannelException.class);
            assertThat(other.extentCount()).hasValue(1);
        }
    }

    @Test
    void example_imageOfAnArena_isDumped() throws IOException {
        path = directory.resolve("my-mapped-memory-1");
        write(TIB, GIB);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        SparseFileExample.dump(directory, new PrintStream(text, true, StandardCharsets.US_ASCII));
        assertThat(text.toString(StandardCharsets.US_ASCII))
                .startsWith(TIB + " bytes, extents of data: OptionalLong[1]")
                .contains("40000000  78 78 78")
                .endsWith("10000000000\n");
    }

    private long transfer(ExtentSource.Sink sink, long skip, long limit) throws IOException {
        try (SparseFile file = open()) {
            return file.transferTo(sink, skip, limit);
        }
    }

    private SparseFile open() throws IOException {
        return SparseFile.open(path);
    }

    /// Creates the file with a page of data at each offset.
    private void write(long byteSize, long... offsets) throws IOException {
        TestFileSystem.assumeHoles(directory);
        byte[] page = new byte[PAGE];
        Arrays.fill(page, (byte) 'x');
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(byteSize);
            for (long offset : offsets) {
                file.seek(offset);
                file.write(page);
            }
        }
    }

    private void resize(long byteSize) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(byteSize);
        }
    }

    /// Records the runs, and runs an action at the first one.
    private static final class Recorder implements ExtentSource.Sink {
        private final List<String> runs = new ArrayList<>();
        private final Action atFirst;
        private long byteSize;

        Recorder() {
            this(() -> {});
        }

        Recorder(Action atFirst) {
            this.atFirst = atFirst;
        }

        @Override
        public void data(MemorySegment bytes) throws IOException {
            assertThat(bytes.get(JAVA_BYTE, 0)).isEqualTo((byte) 'x');
            add("data ", bytes.byteSize());
        }

        @Override
        public void zeros(long byteSize) throws IOException {
            add("zeros ", byteSize);
        }

        private void add(String kind, long runByteSize) throws IOException {
            if (runs.isEmpty()) {
                atFirst.run();
            }
            runs.add(kind + runByteSize);
            byteSize += runByteSize;
        }
    }

    private interface Action {
        void run() throws IOException;
    }
}
