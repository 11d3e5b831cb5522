package dev.arenakit.mapped;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests the deletion of images.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class ImageDeleteTest extends InDirectory {

    ImageDeleteTest(TestFileSystem place) {
        super(place);
    }

    @Test
    void delete_closedImage_leavesUnrecordedFiles() throws IOException {
        fill();
        Files.delete(directory.resolve("memory-1"));
        Files.writeString(directory.resolve("memory-3"), "somebody's");
        using(ArenaImage.open(base),
                image -> assertThat(image.dataFiles()).containsExactly(directory.resolve("memory-0"),
                        directory.resolve("memory-1"), directory.resolve("memory-2")));
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-3");
    }

    @Test
    void delete_withoutLockFile_leavesNone() throws IOException {
        fill();
        Files.delete(directory.resolve("memory.lock"));
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void delete_ownedImage_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(8);
            assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(IllegalStateException.class)
                    .hasMessage("Image is owned by this process: base=" + base + "; close the arena that owns it");
            assertThat(TestFileSystem.names(directory)).containsExactly("memory-0", "memory.catalog", "memory.lock");
        }
    }

    @Test
    void delete_fileThatCannotBeDeleted_leavesTheCatalogAndNoOwner() throws IOException {
        fill();
        Path inTheWay = directory.resolve("memory-1");
        Files.delete(inTheWay);
        Files.createDirectory(inTheWay);
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(FileSystemException.class)
                .hasMessageContaining(inTheWay.toString());
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-1", "memory.catalog", "memory.lock");
        Files.delete(inTheWay);
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void delete_noImage_createsNoFile() throws IOException {
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(NoSuchFileException.class);
        Files.writeString(directory.resolve("memory.catalog"), "garbage");
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(IOException.class)
                .hasMessageStartingWith("No catalog of an image");
        assertThat(TestFileSystem.names(directory)).containsExactly("memory.catalog");
    }

    @Test
    void delete_unfinishedImage_deletesItsFiles() throws IOException {
        TestFileSystem.createOwnFile(directory.resolve("memory.lock"));
        TestFileSystem.createOwnFile(directory.resolve("memory-0"));
        Files.write(TestFileSystem.createOwnFile(directory.resolve("memory.catalog")), new byte[1 << 16]);
        ImageFiles.delete(base);
        assertThat(TestFileSystem.names(directory)).isEmpty();
    }

    @Test
    void delete_emptyFileOfAnotherProgram_isRefused() throws IOException {
        TestFileSystem.createOwnFile(directory.resolve("memory.catalog"));
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(IOException.class);
        assertThat(TestFileSystem.names(directory)).containsExactly("memory.catalog");
    }

    @Test
    void delete_zeroCatalogBesideData_deletesNothing() throws IOException {
        fill();
        Files.write(directory.resolve("memory.catalog"), new byte[1 << 16]);
        assertThatThrownBy(() -> ImageFiles.delete(base)).isInstanceOf(IOException.class);
        assertThat(TestFileSystem.names(directory)).contains("memory-0", "memory-2", "memory.catalog");
    }

    @Test
    void repair_unfinishedImage_namesTheRemedy() throws IOException {
        TestFileSystem.createOwnFile(directory.resolve("memory.lock"));
        Files.write(TestFileSystem.createOwnFile(directory.resolve("memory.catalog")), new byte[1 << 16]);
        assertThatThrownBy(() -> ImageFiles.repair(base, directory.resolve("mended"))).isInstanceOf(IOException.class)
                .hasMessageContaining("nothing to repair")
                .hasMessageContaining("ImageFiles.delete or arena purge");
        assertThat(TestFileSystem.names(directory)).containsExactly("memory.catalog", "memory.lock");
    }

    private void fill() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (int i = 0; i < 3; i++) {
                arena.allocate(100, 1).fill((byte) 1);
            }
        }
    }
}
