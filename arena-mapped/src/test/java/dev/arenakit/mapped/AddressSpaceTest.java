package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.files.MappingLimit;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests files that are too large for the address space. Of the usual file systems, tmpfs alone accepts them.
class AddressSpaceTest extends InDirectory {
    private static final long TIB = 1L << 40;

    AddressSpaceTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void allocate_addressSpaceExhausted_isOutOfMemoryAndLeavesNoFile() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(64 * TIB, 1);
            assertThatThrownBy(() -> arena.allocate(64 * TIB, 1)).isInstanceOf(OutOfMemoryError.class)
                    .hasMessageContaining("Address space is exhausted")
                    .hasMessageContaining("path=" + base + "-1")
                    .hasMessageContaining("byteSize=" + 64 * TIB)
                    .hasMessageContaining("ulimit -v");
            assertThat(TestFileSystem.dataFiles(directory)).containsExactly("memory-0");

            arena.allocate(100, 1);
            assertThat(Files.size(directory.resolve("memory-1"))).isEqualTo(100);
        }
    }

    @Test
    void allocate_chunkThatTheAddressSpaceRefuses_takesHalf() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("halved")).chunked(64 * TIB).build();
                InfiniteArena other = InfiniteArena.builder(directory.resolve("other")).chunked(64 * TIB).build()) {
            arena.allocate(100, 1).fill((byte) 1);
            other.allocate(100, 1).fill((byte) 1);

            assertThat(Files.size(directory.resolve("halved-0"))).isEqualTo(64 * TIB);
            assertThat(Files.size(directory.resolve("other-0"))).isBetween(TIB, 32 * TIB);
            assertThat(MappingLimit.used()).as("files and catalogs").isEqualTo(mappingsBefore + 4);
        }
    }
}
