package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests data files whose records did not reach the disk before the machine failed.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class UnrecordedFileTest extends InDirectory {

    UnrecordedFileTest(TestFileSystem place) {
        super(place);
    }

    /// Makes an image with the files 0 and 1 whose owner has not closed it.
    @BeforeEach
    void die() throws IOException {
        Path other = directory.resolve("other");
        try (InfiniteArena arena = InfiniteArena.ofShared(other)) {
            arena.names().allocate("kept", JAVA_BYTE, 100).fill((byte) 7);
            arena.names().allocate("zero", JAVA_BYTE, 5_000);
            Files.copy(ImageFiles.catalog(other), ImageFiles.catalog(base));
        }
        for (int number = 0; number < 2; number++) {
            Files.move(ImageFiles.data(other, number), ImageFiles.data(base, number));
        }
        Files.delete(ImageFiles.catalog(other));
        Files.delete(ImageFiles.lock(other));
        TestFileSystem.forOwnerAlone(ImageFiles.catalog(base));
    }

    private Path empty(int number) throws IOException {
        return TestFileSystem.createOwnFile(ImageFiles.data(base, number));
    }

    private List<ImageIntegrity.Problem> problems(Path image) throws IOException {
        return read(ArenaImage.open(image), opened -> opened.integrity().problems().toList());
    }

    @Test
    void reopen_afterADeath_removesEmptyFiles() throws IOException {
        empty(2);
        empty(3);
        assertThat(problems(base)).hasSize(2)
                .allMatch(ImageIntegrity.Problem::isNote)
                .allMatch(note -> note.description().startsWith("Data file has no record and no data: path=" + base));
        InfiniteArena.builder(base).reopen().close();
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1");
        assertThat(problems(base)).isEmpty();
    }

    @Test
    void reopen_recordOfAUsedFileIsLost_recordsItAgain() throws IOException {
        TestCatalog.clearRecordOfFile(base, 1);
        assertThat(problems(base)).isNotEmpty()
                .allMatch(ImageIntegrity.Problem::isNote)
                .anyMatch(note -> note.description().startsWith("Data file has lost its record"));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.names().get("zero").byteSize()).isEqualTo(5_000);
            TestFileSystem.assumeHoles(directory);
            arena.free(arena.names().get("zero"));
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(problems(base)).allMatch(ImageIntegrity.Problem::isNote)
                .noneMatch(note -> note.description().contains("Data file"));
    }

    @Test
    void reopen_afterADeath_leavesFilesThatMayBelongToOthers() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Files.write(empty(2), new byte[]{1});
        Files.createLink(directory.resolve("link"), empty(3));
        Files.setPosixFilePermissions(empty(4), PosixFilePermissions.fromString("rw-rw-rw-"));
        // No owner would have taken this number next.
        empty(6);
        InfiniteArena.builder(base).reopen().close();
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("link", "memory-0", "memory-1", "memory-2",
                "memory-3", "memory-4", "memory-6");
        assertThat(problems(base)).isNotEmpty().noneMatch(ImageIntegrity.Problem::isNote);
    }

    @Test
    void reopen_afterClose_leavesEmptyFiles() throws IOException {
        InfiniteArena.builder(base).reopen().close();
        empty(2);
        InfiniteArena.builder(base).reopen().close();
        assertThat(ImageFiles.data(base, 2)).exists();
        assertThat(problems(base)).singleElement()
                .matches(problem -> problem.description().startsWith("Data file is not recorded"));
    }

    @Test
    void delete_afterADeath_removesEmptyFiles() throws IOException {
        empty(2);
        Files.write(empty(3), new byte[]{1});
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-3");
    }

    @Test
    void repair_afterADeath_leavesEmptyFilesOut() throws IOException {
        empty(2);
        Path mended = directory.resolve("mended");
        assertThat(ImageFiles.repair(base, mended)).isEmpty();
        assertThat(ImageFiles.data(mended, 1)).exists();
        assertThat(ImageFiles.data(mended, 2)).doesNotExist();
        assertThat(problems(mended)).isEmpty();
    }

    @Test
    void reopen_recordOfAUsedFileIsLostAfterClose_recordsItAgain() throws IOException {
        InfiniteArena.builder(base).reopen().close();
        TestCatalog.clearRecordOfFile(base, 1);
        assertThat(problems(base)).isNotEmpty().allMatch(ImageIntegrity.Problem::isNote);
        InfiniteArena.builder(base).reopen().close();
        assertThat(problems(base)).noneMatch(problem -> problem.description().contains("Data file"));
    }
}
