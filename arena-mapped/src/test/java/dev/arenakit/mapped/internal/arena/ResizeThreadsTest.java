package dev.arenakit.mapped.internal.arena;

import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.InDirectory;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.TestFileSystem;
import dev.arenakit.mapped.internal.image.ArenaParts;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests that threads may find an allocation of a previous owner while another one resizes it.
class ResizeThreadsTest extends InDirectory {
    ResizeThreadsTest() {
        super(TestFileSystem.BUILD);
    }

    /// Both threads wait for the monitor of the files before either of them has mapped the allocation. Which of them
    /// gets it first is not determined, so there are several rounds.
    @Test
    void find_whileAnotherThreadResizes_neverReplacesTheGrownMemory() throws Exception {
        for (int round = 0; round < 50; round++) {
            Path image = directory.resolve("image" + round);
            using(InfiniteArena.ofShared(image),
                    arena -> arena.names().allocate("longs", JAVA_LONG, 512).set(JAVA_LONG, 0, 7));
            ArenaParts arena = new ArenaParts(image, new ArenaOptions(), OwnedImage::reopen);
            NamedAllocations names = arena.names;
            BlockedThread<MemorySegment> resizer;
            BlockedThread<MemorySegment> finder;
            synchronized (arena.files) {
                resizer = BlockedThread.start(() -> names.resize("longs", 100_000));
                finder = BlockedThread.start(() -> names.get("longs"));
            }
            MemorySegment resized = resizer.result();
            assertThat(finder.result().get(JAVA_LONG, 0)).isEqualTo(7);
            resized.setAtIndex(JAVA_LONG, 99_999, 42);

            assertThat(names.get("longs").byteSize()).isEqualTo(800_000);
            MemorySegment again = names.resize("longs", 100_001);
            assertThat(again.getAtIndex(JAVA_LONG, 99_999)).isEqualTo(42);
            assertThat(Files.size(ImageFiles.data(image, 0))).isEqualTo(800_008);
            arena.close();
        }
    }
}
