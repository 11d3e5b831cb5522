package dev.arenakit.mapped.internal.data;

import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.arena.ReopenedState;
import dev.arenakit.mapped.internal.catalog.CatalogWriter;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DataFileNumbersTest extends InDirectory {
    private final Arena arena = Arena.ofConfined();
    private final CatalogWriter catalog = CatalogWriter.create(base, arena, CatalogLevel.SIZES, 0,
            FileMode.OWNER_ONLY);
    private final DataFileNumbers numbers = new DataFileNumbers(base, catalog, new RecordedFiles());

    @AfterEach
    void close() {
        arena.close();
        catalog.file().release();
    }

    private Path create(int number) {
        try {
            return Files.createFile(ImageFiles.data(base, number));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int makeOne() {
        return numbers.make(1, 1, number -> {
            create(number);
            return number;
        });
    }

    /// The JDK may throw an error after the system has created the file.
    @Test
    void make_errorAfterTheFileWasCreated_leavesNoFile() {
        for (Error error : new Error[]{new StackOverflowError(), new OutOfMemoryError()}) {
            assertThatThrownBy(() -> numbers.make(2, 1, first -> {
                create(first + 1);
                throw error;
            })).isSameAs(error);
            assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
        }
        assertThat(makeOne()).isZero();
        assertThat(numbers.all()).containsExactly(0);
    }

    @Test
    void make_afterAFileThatCouldNotBeDeleted_takesTheNextNumber() {
        StackOverflowError error = new StackOverflowError();
        assertThatThrownBy(() -> numbers.make(1, 1, _ -> {
            // The system refuses to delete a directory that is not empty.
            assertThat(directory.resolve("memory-0/contents").toFile().mkdirs()).isTrue();
            throw error;
        })).isSameAs(error);
        assertThat(error.getSuppressed()).singleElement()
                .satisfies(it -> assertThat(it).hasMessageContaining("File cannot be deleted"));
        assertThat(makeOne()).isEqualTo(1);
        assertThat(numbers.all()).containsExactly(0, 1);
    }

    @Test
    void make_filesExist_skipsTheirNumbers() {
        create(1);
        create(4);
        assertThat(makeOne()).isZero();
        assertThat(numbers.<Integer>make(2, 1, first -> first)).isEqualTo(2);
        assertThat(makeOne()).isEqualTo(5);
        assertThat(numbers.all()).containsExactly(0, 2, 3, 5);
    }

    @Test
    void make_fileAppearsMeanwhile_leavesItAlone() {
        assertThatThrownBy(() -> numbers.make(1, 1, number -> {
            Path file = create(number);
            throw FileErrors.create(file, 1, new FileAlreadyExistsException(file.toString()));
        })).hasMessageContaining("File already exists");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");
        assertThat(makeOne()).isEqualTo(1);
        assertThat(numbers.all()).containsExactly(1);
    }

    @Test
    void make_secondFileAppearsMeanwhile_deletesTheFirst() {
        assertThatThrownBy(() -> numbers.make(3, 1, first -> {
            create(first);
            Path foreign = create(first + 1);
            throw FileErrors.create(foreign, 1, new FileAlreadyExistsException(foreign.toString()));
        })).hasMessageContaining("File already exists");
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-1");
        assertThat(makeOne()).isEqualTo(2);
        assertThat(numbers.all()).containsExactly(2);
    }

    /// An owner that has lost its lock must not delete the file that its successor has made with this number.
    @Test
    void make_fileCannotBePlanned_deletesNoFile() throws IOException {
        TestFileSystem.assumeLinks(directory);
        Path foreign = Files.createSymbolicLink(ImageFiles.data(base, 0), Path.of("absent"));
        CatalogWriter successor = CatalogWriter.map(base, arena, CatalogLevel.SIZES);
        successor.takeOver(ReopenedState::none);
        successor.file().release();
        assertThatThrownBy(this::makeOne).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Another owner has taken over the image");
        assertThat(Files.isSymbolicLink(foreign)).isTrue();
    }
}
