package dev.arenakit.mapped.internal.ring;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@EnabledOnOs(OS.LINUX)
class MappedRingTest {
    /// As if another process had completed the file between its creation by this process and the lock.
    @Test
    void create_ofAFileThatAnotherProcessCompletes_isRefusedIfTheCapacityDiffers(@TempDir Path directory)
            throws IOException {
        Path path = directory.resolve("ring");
        MappedRing.create(path, 128, false).close();
        assertThatIllegalStateException().isThrownBy(() -> MappedRing.complete(path, 64, true))
                .withMessageContaining("capacity=128, requested=64");
        assertThat(path).exists();
        MappedRing same = MappedRing.complete(path, 128, true);
        assertThat(same.capacity()).isEqualTo(128);
        same.close();
    }
}
