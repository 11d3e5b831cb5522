package dev.arenakit.examples.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class TemporaryDirectoryTest {
    @Test
    void in_createsADirectoryForItsOwnerAlone(@TempDir Path parent) throws IOException {
        assumeTrue(parent.getFileSystem().supportedFileAttributeViews().contains("posix"), "needs permissions");
        try (TemporaryDirectory created = TemporaryDirectory.in(parent, "work-")) {
            assertThat(created.path()).hasParent(parent);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(created.path())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void close_deletesDirectoryAndFiles_andMayBeRepeated(@TempDir Path parent) throws IOException {
        TemporaryDirectory created = TemporaryDirectory.in(parent, "work-");
        Files.writeString(created.path().resolve("file"), "content");
        created.close();
        assertThat(parent).isEmptyDirectory();
        created.close();
        assertThat(parent).isEmptyDirectory();
    }
}
