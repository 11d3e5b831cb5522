package dev.arenakit.mapped;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

/// Tests that each refusal states its reason and leaves no file.
@ParameterizedClass
@EnumSource(TestFileSystem.class)
class InfiniteArenaErrorTest extends InDirectory {
    private static final long TIB = 1L << 40;

    InfiniteArenaErrorTest(TestFileSystem place) throws IOException {
        super(place);
    }

    @Test
    void allocate_parentMissing_namesTheDirectory() throws IOException {
        Path parent = directory.resolve("missing");
        InfiniteArena.Builder builder = InfiniteArena.builder(parent.resolve("memory")).chunked().deleteOnClose();
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessage("Parent directory is missing: path=" + parent.resolve("memory") + ", directory="
                        + parent + "; create the directory first");

        Files.createDirectory(parent);
        try (InfiniteArena arena = builder.catalog(CatalogLevel.OFF).build()) {
            Files.delete(parent);
            assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                    .hasMessage("Parent directory is missing: path=" + parent.resolve("memory-0")
                            + ", byteSize=100, directory=" + parent + "; create the directory first");

            Files.createDirectory(parent);
            arena.allocate(100, 1);
            assertThat(Files.size(parent.resolve("memory-0"))).isEqualTo(TIB);
        }
        TestFileSystem.remove(parent);
    }

    @Test
    void allocate_noPermission_namesTheDirectory() throws IOException {
        Path closed = directoryWithoutPermission();
        InfiniteArena.Builder builder = InfiniteArena.builder(closed.resolve("arenakit-test"));
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("No permission")
                .hasMessageContaining("path=" + closed.resolve("arenakit-test.lock"))
                .hasMessageContaining("directory=" + closed);
        try (InfiniteArena arena = builder.catalog(CatalogLevel.OFF).build()) {
            assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("No permission")
                    .hasMessageContaining("path=" + closed.resolve("arenakit-test-0"))
                    .hasMessageContaining("byteSize=100")
                    .hasMessageContaining("directory=" + closed);
        }
    }

    /// A directory that refuses new files even to root, if there is such a directory.
    private Path directoryWithoutPermission() throws IOException {
        Path own = Files.createDirectory(directory.resolve("closed"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
        for (Path candidate : List.of(own, Path.of("/sys"))) {
            Path probe = candidate.resolve("arenakit-test-0");
            try {
                Files.delete(Files.createFile(probe));
            } catch (AccessDeniedException _) {
                return candidate;
            } catch (IOException _) {
                // The directory is read-only or does not exist.
            }
        }
        return abort("No directory refuses files to this user");
    }

    @Test
    void allocate_parentIsAFile_givesTheSystemsReason() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        InfiniteArena.Builder builder = InfiniteArena.builder(file.resolve("memory"));
        assertThatThrownBy(builder::build).isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("path=" + file.resolve("memory.lock"));
        try (InfiniteArena arena = builder.catalog(CatalogLevel.OFF).build()) {
            assertThatThrownBy(() -> arena.allocate(100, 1)).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("path=" + file.resolve("memory-0"))
                    .hasMessageContaining("byteSize=100");
        }
    }

    @Test
    void allocate_fileExistsAndNoCatalog_leavesItAloneAndTakesTheNumberOnceItIsFree() throws IOException {
        Path occupied = Files.writeString(directory.resolve("memory-1"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).catalog(CatalogLevel.OFF).build()) {
            arena.allocate(100, 1);
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> arena.allocate(200, 1)).isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("File already exists: path=" + occupied)
                        .hasMessageContaining("byteSize=200")
                        .hasMessageContaining("uniqueBase()");
            }
            assertThat(Files.readString(occupied)).isEqualTo("somebody's");
            assertThat(MappingLimit.used()).as("file").isEqualTo(mappingsBefore + 1);

            Files.delete(occupied);
            arena.allocate(300, 1);
            assertThat(Files.size(occupied)).isEqualTo(300);
        }
        assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1");
    }

    /// A killed process may have left it: its file was not recorded yet, so that the deletion of its image left it
    /// alone.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allocate_fileExists_skipsItAndNeverDeletesIt(boolean isReopened) throws IOException {
        Path occupied = Files.writeString(directory.resolve("memory-1"), "somebody's");
        try (InfiniteArena arena = InfiniteArena.builder(base).deleteOnClose().build()) {
            arena.allocate(100, 1);
            arena.allocate(200, 1);
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0", "memory-1", "memory-2");
            try (ArenaImage image = ArenaImage.open(base)) {
                assertThat(image.dataFiles()).hasSize(2);
            }
        }
        if (isReopened) {
            InfiniteArena.ofShared(base).close();
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                arena.allocate(100, 1);
                arena.allocate(200, 1);
            }
            InfiniteArena.builder(base).deleteOnClose().reopen().close();
        }
        assertThat(TestFileSystem.names(directory)).containsExactly("memory-1");
        assertThat(Files.readString(occupied)).isEqualTo("somebody's");
    }

    @Test
    void allocate_symbolicLinkPlanted_isNotFollowed() throws IOException {
        Path target = directory.resolve("target");
        Files.createSymbolicLink(directory.resolve("memory-0"), target);
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            assertThatThrownBy(() -> arena.allocate(100, 1)).hasMessageContaining("File already exists");
            arena.allocate(100, 1);
        }
        assertThat(target).doesNotExist();
        assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(100);
    }

    @Test
    void allocate_beyondAnyAddressSpace_isOutOfMemoryBeforeAnyFile() {
        try (InfiniteArena plain = InfiniteArena.ofShared(base);
                InfiniteArena chunked = InfiniteArena.builder(directory.resolve("chunked")).chunked().build()) {
            for (InfiniteArena arena : List.of(plain, chunked)) {
                for (long size : new long[]{1L << 47, Long.MAX_VALUE - 7, Long.MAX_VALUE}) {
                    assertThatThrownBy(() -> arena.allocate(size, 8)).isInstanceOf(OutOfMemoryError.class)
                            .hasMessageContaining("byteSize=" + size)
                            .hasMessageContaining("byteAlignment=8");
                }
            }
        }
        assertThat(TestFileSystem.dataFiles(directory)).isEmpty();
    }

    @Test
    void allocate_atTheLimitOfMappings_isRefusedUntilOneIsReleased() {
        int room = MappingLimit.LIMIT - mappingsBefore;
        try (InfiniteArena arena = InfiniteArena.builder(base).confined().deleteOnClose().build()) {
            arena.allocate(1, 1);
            // The catalog and the file are mapped.
            for (int i = 2; i < room; i++) {
                MappingLimit.reserve();
            }
            assertThatThrownBy(() -> arena.allocate(1, 1)).isInstanceOfSatisfying(CapacityExceededException.class,
                    e -> {
                        assertThat(e.limit()).isEqualTo(10_000);
                        assertThat(e.used()).isEqualTo(10_000);
                        assertThat(e).hasMessageContaining("chunked()");
                    });
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");

            MappingLimit.release(1);
            arena.allocate(1, 1);
            MappingLimit.release(room - 3);
        }
    }
}
