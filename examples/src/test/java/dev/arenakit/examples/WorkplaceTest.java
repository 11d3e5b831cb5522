package dev.arenakit.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class WorkplaceTest {
    @Test
    void in_makesADirectoryForItsOwnerAlone(@TempDir Path parent) throws IOException {
        assumeTrue(parent.getFileSystem().supportedFileAttributeViews().contains("posix"), "needs permissions");
        try (Workplace workplace = Workplace.in(parent, "work-")) {
            assertThat(workplace.path()).hasParent(parent);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(workplace.path())))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void close_removesDirectoryAndFiles_andMayBeRepeated(@TempDir Path parent) throws IOException {
        Workplace workplace = Workplace.in(parent, "work-");
        Files.writeString(workplace.path().resolve("file"), "content");
        workplace.close();
        assertThat(parent).isEmptyDirectory();
        workplace.close();
        assertThat(parent).isEmptyDirectory();
    }
}
