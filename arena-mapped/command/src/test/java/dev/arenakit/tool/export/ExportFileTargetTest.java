package dev.arenakit.tool.export;

import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.console.Output;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExportFileTargetTest extends InSharedMemory {

    @Test
    void close_withoutFinish_leavesNoFile() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(base, false)) {
            target.output().write(new byte[1 << 20], 0, 1 << 20);
            assertThat(base).doesNotExist();
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void close_withoutFinish_leavesWhatWasThere() throws IOException {
        Files.writeString(base, "old");
        try (ExportFileTarget target = ExportFileTarget.create(base, true)) {
            target.output().write('x');
            target.output().flush();
            assertThat(base).hasContent("old");
        }
        assertThat(names()).containsExactly("memory");
        assertThat(base).hasContent("old");
    }

    @Test
    void finish_afterZeros_givesTheFileItsSize() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(base, false)) {
            target.output().write('a');
            target.zeros(3);
            target.output().write('b');
            target.zeros(2);
            target.finish();
        }
        assertThat(Files.readAllBytes(base)).containsExactly('a', 0, 0, 0, 'b', 0, 0);
    }

    @Test
    void finish_whereAFileIsByNow_isRefusedWithoutForce() throws IOException {
        try (ExportFileTarget target = ExportFileTarget.create(base, false)) {
            target.output().write('x');
            Files.writeString(base, "of another program");
            assertThatThrownBy(target::finish).isInstanceOf(Output.Failure.class)
                    .hasMessageContaining("File exists; --force replaces it");
        }
        assertThat(base).hasContent("of another program");
        assertThat(names()).containsExactly("memory");
    }
}
