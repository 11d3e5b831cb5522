package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import dev.arenakit.mapped.io.MappedWindow;
import dev.arenakit.mapped.io.MappedWindows;
import dev.arenakit.mapped.io.WindowKind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that arenas and windows leave no file descriptor and no mapping, and files that are too large for the address
/// space. Of the usual file systems, tmpfs alone accepts such files.
class DescriptorsTest extends InDirectory {
    private final Path file = directory.resolve("file");
    private static final long TIB = 1L << 40;

    @Test
    void close_often_leavesNoDescriptor() throws IOException {
        openAndClose(100, 20);
    }

    @Tag("slow")
    @Test
    void close_aHundredThousandTimes_leavesNoDescriptor() throws IOException {
        openAndClose(100_000, 10);
    }

    /// @param images how many rounds there are for each arena with an image
    private void openAndClose(int rounds, int images) throws IOException {
        Files.write(file, new byte[1 << 20]);
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
        InfiniteArenaBuilder builder = InfiniteArena.builder(base)
                .deleteOnClose()
                .catalog(image ? CatalogLevel.FULL : CatalogLevel.OFF);
        using(builder.confined().build(), confined -> confined.allocate(8, 8).set(JAVA_LONG, 0, 1));
    }

    @Test
    void allocate_chunkThatTheAddressSpaceRefuses_takesHalf() throws IOException {
        TestFileSystem.assumeHoles(directory);
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("halved")).chunked(64 * TIB).build();
                InfiniteArena other = InfiniteArena.builder(directory.resolve("other")).chunked(64 * TIB).build();
                Arena addresses = Arena.ofShared()) {
            arena.allocate(100, 1).fill((byte) 1);
            AddressSpaceTest.leaveAtMost(63 * TIB, addresses);
            other.allocate(100, 1).fill((byte) 1);

            assertThat(Files.size(directory.resolve("halved-0"))).isEqualTo(64 * TIB);
            assertThat(Files.size(directory.resolve("other-0"))).isBetween(TIB, 32 * TIB);
            assertThat(MappingLimit.used()).as("files and catalogs").isEqualTo(mappingsBefore + 4);
        }
    }
}
