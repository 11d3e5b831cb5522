package dev.arenakit.tool.repair;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.FullDisk;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.UnfinishedImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepairCommandTest extends InSharedMemory {
    @Test
    void repair_soundImage_copiesIt() {
        TestImage.closed(base);
        assertThat(ToolRun.of("repair", base.toString()).succeeds().out())
                .isEqualTo(base + "-repaired: 4 allocations, 0 things mended\n");
    }

    @Test
    void repair_missingFile_saysWhatIsLostAndVerifies() throws IOException {
        TestImage.closed(base);
        Files.delete(base.resolveSibling("memory-0"));
        ToolRun run = ToolRun.of("repair", base.toString(), "--to", other.toString()).exits(1);
        assertThat(run.out().lines()).satisfiesExactly(
                line -> assertThat(line).startsWith(base + ": lost: Data file is missing"),
                line -> assertThat(line).isEqualTo(other + ": 4 allocations, 1 thing mended"));
        assertThat(ToolRun.of("verify", other.toString()).exitCode()).isZero();
        assertThat(ToolRun.of("verify", base.toString()).exitCode()).isEqualTo(1);
    }

    @Test
    void repair_refused_couldNotRead() throws IOException {
        assertRefused("no such image");
        Files.writeString(base.resolveSibling("memory.catalog"), "garbage".repeat(100));
        assertRefused("Nothing of the catalog can be read");
        Files.delete(base.resolveSibling("memory.catalog"));
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(8);
            assertRefused("A process owns the image");
        }
        Files.createFile(base.resolveSibling("memory-repaired.catalog"));
        assertRefused("a file of the copy exists");
    }

    @Test
    void repair_unfinishedImage_saysWhatItIsAndNamesPurge() throws IOException {
        UnfinishedImages.create(base);
        assertRefused("Image was never finished, and has no data");
        assertRefused("arena purge");
        assertThat(ToolRun.of("purge", "--yes", base.toString()).exitCode()).isZero();
        assertThat(base.resolveSibling("memory.catalog")).doesNotExist();
    }

    private void assertRefused(String reason) {
        ToolRun run = ToolRun.of("repair", base.toString()).exits(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).hasLineCount(1).startsWith("arena: " + base + ": ").contains(reason);
    }

    @Test
    @Tag("full")
    void repair_toAFullDisk_namesTheCopyAndLeavesNothing() throws IOException, InterruptedException {
        TestImage.closed(base);
        Path disk = Files.createDirectory(base.resolveSibling("disk"));
        assertThat(FullDisk.run(disk, "repair", base.toString(), "--to", disk.resolve("copy").toString()))
                .matches("arena: \\Q" + base + "\\E: No space left on device: path=\\Q" + disk + "\\E/copy[^\n]*\n3\n");
    }

    @Test
    void repair_withoutAnArgument_isBadUsage() {
        assertThat(ToolRun.of("repair").exitCode()).isEqualTo(2);
    }
}
