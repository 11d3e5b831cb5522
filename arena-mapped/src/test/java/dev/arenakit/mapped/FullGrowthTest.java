package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests memory that grows on disks that are full to the last block, as [FullDiskTest] does for other memory. Each
/// scenario is a process, which takes a second.
class FullGrowthTest extends InDirectory {
    private static final long DISK_BYTE_SIZE = 16L << 20;

    FullGrowthTest() throws IOException {
        super(TestFileSystem.BUILD);
    }

    private static ProcessBuilder command(String scenario, Path disk) {
        return ChildJvm.granted().command(FullGrowthChild.class, scenario, disk.toString());
    }

    private void runOnTmpfs(String scenario) throws Exception {
        runOnTmpfs("16m", scenario);
    }

    private void runOnTmpfs(String byteSize, String scenario) throws Exception {
        Path disk = directory.resolve("disk");
        assertThat(SmallDisk.run("size=" + byteSize, disk, command(scenario, disk))).containsExactly("done");
    }

    private void runOnExt4(String scenario, String... options) throws Exception {
        try (LoopDisk disk = LoopDisk.mount(directory, DISK_BYTE_SIZE, options)) {
            assertThat(ChildJvm.run(command(scenario, disk.root()))).isEqualTo("done\n");
            assertThat(disk.check()).isEmpty();
        }
    }

    @Test
    void grow_reservedUntilTmpfsIsFull_everyBlockCanBeStored() throws Exception {
        runOnTmpfs("reserved");
    }

    @Test
    @Tag("full")
    void grow_reservedUntilExt4IsFull_everyBlockCanBeStored() throws Exception {
        runOnExt4("reserved", "-b", "1024");
    }

    @Test
    @Tag("full")
    void growStored_inASparseArenaUntilExt4IsFull_everyBlockCanBeStored() throws Exception {
        runOnExt4("stored", "-b", "4096");
    }

    @Test
    @Tag("slow")
    void growStored_inASparseArenaUntilTmpfsIsFull_everyBlockCanBeStored() throws Exception {
        runOnTmpfs("stored");
    }

    @Test
    @Tag("full")
    void append_toATableInASparseArenaUntilTmpfsIsFull_keepsEachRow() throws Exception {
        runOnTmpfs("2m", "table");
    }

    @Test
    @Tag("slow")
    void append_toATableInASparseArenaUntilExt4IsFull_keepsEachRow() throws Exception {
        runOnExt4("table", "-b", "1024");
    }

    @Test
    @Tag("full")
    void growStored_refusedHalfway_givesTheBlocksBack() throws Exception {
        // With inodes for as many small files as there are blocks.
        runOnExt4("fragmented", "-b", "1024", "-i", "1024");
    }

    @Test
    @Tag("full")
    void growStored_onADiskThatIsFullOfFreedMemory_freesItFirst() throws Exception {
        runOnTmpfs("freed");
    }

    @Test
    @Tag("full")
    void grow_killed_leavesWhatWasWrittenAndGrowsFromThere() throws Exception {
        kill(1);
    }

    @Test
    @Tag("slow")
    void grow_killedManyTimes_leavesWhatWasWrittenAndGrowsFromThere() throws Exception {
        kill(20);
    }

    private void kill(int kills) throws Exception {
        for (int i = 0; i < kills; i++) {
            long written = writeUntilKilled(300 + 7 * i);
            try (InfiniteArena arena = InfiniteArena.builder(base).reserved().reopen()) {
                GrowableSegment memory = arena.growable("bytes", FullGrowthChild.BYTES, 1);
                assertThat(memory.byteSize()).isBetween(written, written + 3 * 40_000);
                MemorySegment segment = memory.segment();
                for (long at = 0; at < written; at += 8) {
                    assertThat(segment.get(JAVA_LONG, at) == at + 1).isTrue();
                }
                long before = memory.byteSize();
                MemorySegment grown = memory.grow(before + 40_000).asSlice(before);
                assertThat(grown.mismatch(MemorySegment.ofArray(new byte[40_000]))).isEqualTo(-1);
                arena.free("bytes");
            }
        }
    }

    /// @return the last size that was acknowledged
    private long writeUntilKilled(long outputByteSize) throws Exception {
        Path output = directory.resolve("output");
        Process child = command("write", base).redirectOutput(output.toFile()).start();
        try {
            while (Files.size(output) < outputByteSize) {
                assertThat(child.isAlive()).isTrue();
                TimeUnit.MILLISECONDS.sleep(1);
            }
        } finally {
            child.destroyForcibly().waitFor();
        }
        List<String> lines = Files.readAllLines(output);
        // The last line may be cut.
        return Long.parseLong(lines.get(lines.size() - 2));
    }
}
