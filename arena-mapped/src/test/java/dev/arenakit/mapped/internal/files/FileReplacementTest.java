package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.TestFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FileReplacementTest extends InDirectory {
    FileReplacementTest() {
        super(TestFileSystem.BUILD);
    }

    @Test
    void commit_existingOrNewFile_replacesItAndLeavesNothingElse() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Path target = directory.resolve("x".repeat(255));
        for (String content : new String[]{"first", "second"}) {
            try (FileReplacement replacement = FileReplacement.of(target)) {
                Files.writeString(replacement.written(), content);
                assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(replacement.written().resolveSibling(""))))
                        .isEqualTo("rwx------");
                replacement.commit();
            }
            assertThat(target).hasContent(content);
            assertThat(TestFileSystem.list(directory)).containsExactly(target);
        }
    }

    @Test
    void commit_fileThatOthersMayRead_isForItsOwnerAlone() throws IOException {
        TestFileSystem.assumePermissions(directory);
        Path target = directory.resolve("target");
        try (FileReplacement replacement = FileReplacement.of(target)) {
            Files.writeString(replacement.written(), "secret");
            Files.setPosixFilePermissions(replacement.written(), PosixFilePermissions.fromString("rw-r--r--"));
            replacement.commit();
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target))).isEqualTo("rw-------");
    }

    @Test
    void close_withoutCommit_leavesWhatWasThere() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "old");
        try (FileReplacement replacement = FileReplacement.of(target)) {
            Files.writeString(replacement.written(), "new");
            Files.writeString(replacement.written().resolveSibling("temporary"), "of the program that writes");
        }
        assertThat(target).hasContent("old");
        assertThat(TestFileSystem.list(directory)).containsExactly(target);
    }
}
