package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExportFileTargetTest {
    private final Path directory;
    private final Path file;

    ExportFileTargetTest(@TempDir Path directory) {
        this.directory = directory;
        file = directory.resolve("file");
    }

    @Test
    void close_withoutFinish_leavesNoFile() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(file, false)) {
            target.output().write(new byte[1 << 20], 0, 1 << 20);
            assertThat(file).doesNotExist();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void close_withoutFinish_leavesWhatWasThere() throws IOException {
        Files.writeString(file, "old");
        try (ExportFileTarget target = ExportFileTarget.create(file, true)) {
            target.output().write('x');
            target.output().flush();
            assertThat(file).hasContent("old");
        }
        assertThat(names()).containsExactly("file");
        assertThat(file).hasContent("old");
    }

    @Test
    void finish_afterZeros_givesTheFileItsSize() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(file, false)) {
            target.output().write('a');
            target.zeros(3);
            target.output().write('b');
            target.zeros(2);
            target.finish();
        }
        assertThat(Files.readAllBytes(file)).containsExactly('a', 0, 0, 0, 'b', 0, 0);
    }

    @Test
    void finish_whereAFileIsByNow_isRefusedWithoutForce() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(file, false)) {
            target.output().write('x');
            Files.writeString(file, "of another program");
            assertThatThrownBy(target::finish).isInstanceOf(Output.Failure.class)
                    .hasMessageContaining("File exists; --force replaces it");
        }
        assertThat(file).hasContent("of another program");
        assertThat(names()).containsExactly("file");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }
}
