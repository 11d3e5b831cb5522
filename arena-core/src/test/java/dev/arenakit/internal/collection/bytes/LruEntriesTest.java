package dev.arenakit.internal.collection.bytes;

import dev.arenakit.collection.LruMap;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.nio.channels.FileChannel.MapMode.READ_WRITE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.SPARSE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

/// The entries of a map of 32 GiB, in a file of holes.
class LruEntriesTest {
    @TempDir
    Path directory;

    @Test
    void lruMap_largestLimit_isAcceptedAndItsLastEntryHasNeighbors() throws IOException {
        long byteLimit = 32L << 30;
        try (Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(directory.resolve("ring"), CREATE_NEW, SPARSE, READ, WRITE)) {
            MemorySegment memory = file.map(READ_WRITE, 0, byteLimit + 4_096, arena);
            try (LruMap map = LruMap.create(SegmentAllocator.slicingAllocator(memory), byteLimit)) {
                assertThat(map.put(1, new byte[]{2})).isTrue();
                assertThat(map.get(1, new byte[0])).containsExactly(2);
                MemorySegment large = memory.asSlice(0, 3L << 30);
                assertRefused(() -> map.put(1, large), "Too large for an entry: value=3221225472");
                assertThat(map.get(1, new byte[0])).containsExactly(2);
            }

            LruEntries entries = new LruEntries(memory.asSlice(0, byteLimit), 0, 0);
            long last = byteLimit - entries.byteSize(0, 0);
            for (long entry : new long[]{0, last, 64}) {
                entries.link(entry);
            }
            assertThat(entries.newer(0)).isEqualTo(last);
            assertThat(entries.newer(last)).isEqualTo(64);
            entries.unlink(64);
            assertThat(entries.newest).isEqualTo(last);
        }
    }
}
