package dev.arenakit.mapped;

import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.mapped.io.WindowKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that arenas and windows leave no file descriptor and no mapping.
class DescriptorsTest extends InDirectory {
    private final Path file = directory.resolve("file");

    DescriptorsTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
        Files.write(file, new byte[1 << 20]);
    }

    @Test
    void close_often_leavesNoDescriptor() throws IOException {
        openAndClose(300, 30);
    }

    @Tag("slow")
    @Test
    void close_aHundredThousandTimes_leavesNoDescriptor() throws IOException {
        openAndClose(100_000, 10);
    }

    /// @param images how many rounds there are for each arena with an image
    private void openAndClose(int rounds, int images) throws IOException {
        openAndClose(true);
        long descriptors = ProcessMaps.descriptors();
        for (int round = 0; round < rounds; round++) {
            openAndClose(round % images == 0);
        }
        assertThat(ProcessMaps.descriptors()).isEqualTo(descriptors);
        assertThat(ProcessMaps.of(directory)).isEmpty();
        assertThat(TestFileSystem.names(directory)).containsExactly("file");
    }

    private void openAndClose(boolean image) throws IOException {
        for (WindowKind kind : WindowKind.values()) {
            try (MappedWindows windows = kind.builder(file).writable().open();
                    MappedWindow window = windows.lease(WindowKind.WINDOW, 8)) {
                MemorySegment count = window.segment();
                count.set(JAVA_LONG, 0, count.get(JAVA_LONG, 0) + 1);
            }
        }
        InfiniteArena.Builder builder = InfiniteArena.builder(base)
                .deleteOnClose()
                .catalog(image ? CatalogLevel.FULL : CatalogLevel.OFF);
        try (InfiniteArena confined = builder.confined().build()) {
            confined.allocate(8, 8).set(JAVA_LONG, 0, 1);
        }
    }
}
