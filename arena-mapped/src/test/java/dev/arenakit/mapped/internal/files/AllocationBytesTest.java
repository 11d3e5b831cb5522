package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.AllocationPart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class AllocationBytesTest {
    @TempDir
    private Path directory;

    @Test
    void constructor_thatFails_leavesNoFileOpen() throws IOException {
        Path file = Files.createFile(directory.resolve("image-0"));
        List<Path> files = List.of(file, file);
        List<AllocationPart> parts = List.of(new AllocationPart(0, 0, 0), new AllocationPart(0, 0, -1));
        assertThatThrownBy(() -> new AllocationBytes(files, parts)).isInstanceOf(IllegalArgumentException.class);
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.exists(descriptors), "needs /proc");
        try (Stream<Path> open = Files.list(descriptors)) {
            assertThat(open.map(AllocationBytesTest::target)).doesNotContain(file.toRealPath());
        }
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException _) {
            // Another thread has closed it.
            return descriptor;
        }
    }
}
