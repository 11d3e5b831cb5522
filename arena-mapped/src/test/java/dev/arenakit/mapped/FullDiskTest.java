package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests reserved arenas on disks that are full to the last block: a tmpfs, which any user may mount in a namespace,
/// and an ext4 file system, which only root can mount. Each scenario is a process, which takes a second.
class FullDiskTest extends InDirectory {
    private static final long DISK_BYTE_SIZE = 16L << 20;

    FullDiskTest() {
        super(TestFileSystem.BUILD);
    }

    private static ProcessBuilder command(Path disk, String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add(1, disk.toString());
        return ChildJvm.granted().command(FullDiskChild.class, all.toArray(String[]::new));
    }

    private void runOnTmpfs(String... arguments) throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=16m", disk, command(disk, arguments))).containsExactly("done");
    }

    /// @param blockByteSize the block size of the file system
    private void runOnExt4(int blockByteSize, String... arguments) throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE, "-b", Integer.toString(blockByteSize))) {
            assertThat(ChildJvm.run(command(disk.root(), arguments))).isEqualTo("done\n");
            assertThat(disk.check()).isEmpty();
            assertThat(FullDiskChild.checkWritten(disk.root().resolve("memory"))).isGreaterThan(10);
        }
    }

    @Test
    void allocate_untilTmpfsIsFull_everyByteCanBeStored() throws Exception {
        runOnTmpfs("fill", "plain");
    }

    @Test
    @Tag("full")
    void allocate_onADiskThatIsFullOfFreedMemory_freesItFirst() throws Exception {
        runOnTmpfs("freed");
    }

    @Test
    @Tag("full")
    void allocate_untilExt4IsFull_everyByteIsThereAfterRemounting() throws Exception {
        runOnExt4(1024, "fill", "chunked");
    }

    @ParameterizedTest
    @Tag("slow")
    @ValueSource(strings = {"plain", "plain confined", "chunked", "chunked confined", "small chunked",
            "small chunked confined"})
    void allocate_anyKindUntilTheDiskIsFull_everyByteCanBeStored(String kind) throws Exception {
        runOnExt4(4096, "fill", kind);
        removeDirectoryContents();
        runOnExt4(1024, "fill", kind);
        removeDirectoryContents();
        runOnTmpfs("fill", kind);
    }

    private void removeDirectoryContents() throws IOException {
        for (Path file : TestFileSystem.list(directory)) {
            TestFileSystem.remove(file);
        }
    }

    @Test
    @Tag("full")
    void allocate_inAChunkThatWasReopened_isReserved() throws Exception {
        runOnExt4(4096, "reopen");
    }

    @Test
    @Tag("full")
    void get_ofASparseAllocation_reservesItOrTakesNothing() throws Exception {
        runOnTmpfs("existing");
    }

    @Test
    @Tag("full")
    void prefault_ofASparseAllocationThatDoesNotFit_isAnException() throws Exception {
        runOnTmpfs("prefault");
    }

    @Test
    void build_fileSystemCannotReserve_isRefused() throws Exception {
        // Files of ext2 and ext3 have no extents.
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE, "-O", "^extent,^64bit")) {
            InfiniteArenaBuilder builder = InfiniteArena.builder(disk.root().resolve("memory"));
            builder.build().close();
            List<String> before = TestFileSystem.names(disk.root());
            assertThatThrownBy(builder.reserved()::openOrCreate).isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Arena cannot be reserved: base=" + disk.root().resolve("memory"))
                    .hasMessageContaining("errno=95")
                    .hasMessageContaining("build the arena without reserved()");
            assertThat(TestFileSystem.names(disk.root())).isEqualTo(before);
        }
    }
}
