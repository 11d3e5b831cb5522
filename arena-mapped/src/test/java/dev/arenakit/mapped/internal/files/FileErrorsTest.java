package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.DiskFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests which exceptions say that a disk is full, on a file system that has no usable space.
class FileErrorsTest {
    private static final Path PROC = Path.of("/proc");
    private static final Path FULL = PROC.resolve("file");

    FileErrorsTest() throws IOException {
        assumeTrue(Files.isDirectory(PROC) && PROC.toFile().getUsableSpace() == 0,
                "needs the file system /proc of Linux");
    }

    private static UncheckedIOException grow(String reason) {
        return FileErrors.grow(FULL, 20L << 40, 20L << 40, new IOException(reason));
    }

    @ParameterizedTest
    @ValueSource(strings = {"File too large", "Datei zu gro\u00df"})
    void grow_aboveTheLimitOfFilesOnAFullDisk_isTooLarge(String reason) {
        assertThat(grow(reason)).isInstanceOf(FileErrors.FileTooLargeException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Disk quota exceeded"})
    void grow_onAFullDisk_isFull(String reason) {
        assertThat(grow(reason)).isInstanceOf(DiskFullException.class);
    }

    @Test
    void create_onAFullDiskInAnotherLanguage_isFull() {
        IOException cause = new FileSystemException(FULL.toString(), null, "Auf dem Ger\u00e4t ist kein Platz mehr");
        assertThat(FileErrors.create(FULL, 1, cause)).isInstanceOf(DiskFullException.class);
    }

    @Test
    void create_nameTooLong_hasTheRemedyInAnyLanguage() {
        assertThat(FileErrors.create(Path.of("x".repeat(256)), 1, new IOException("Der Dateiname ist falsch")))
                .hasMessageEndingWith("pass a shorter base, with a name of at most 200 bytes");
    }
}
