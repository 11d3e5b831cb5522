package dev.arenakit.mapped;

import java.io.BufferedReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoopDiskTest {
    @Test
    void check_anotherProcessHasACopyOfTheMount_waitsUntilItEnds() throws Exception {
        Path directory = TestFileSystem.BUILD.newDirectory();
        try (LoopDisk disk = LoopDisk.mount(directory, 16 << 20)) {
            Process other = new ProcessBuilder("unshare", "-m", "sh", "-c", "echo ready; sleep 0.5; echo ended")
                    .start();
            BufferedReader output = other.inputReader();
            assertThat(output.readLine()).isEqualTo("ready");
            assertThat(disk.check()).isEmpty();
            assertThat(output.ready()).isTrue();
            assertThat(output.readLine()).isEqualTo("ended");
        } finally {
            TestFileSystem.remove(directory);
        }
    }
}
