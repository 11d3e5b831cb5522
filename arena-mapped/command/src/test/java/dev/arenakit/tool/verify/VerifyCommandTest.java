package dev.arenakit.tool.verify;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyCommandTest extends InSharedMemory {
    private static final int COULD_NOT_READ = 3;

    @Test
    void verify_killedAndSound_saysWhatWasChecked() throws IOException, InterruptedException {
        TestImage.killed(base);
        assertThat(verify().succeeds().out()).isEqualTo(base + ": no problem in 5 allocations of 9.0 MiB; died\n");
    }

    @Test
    void verify_stillOpen_isNoProblem() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(8);
            assertThat(verify().out()).isEqualTo(base + ": no problem in 1 allocation of 8 B; open\n");
        }
    }

    @Test
    void verify_lostFiles_areListed() throws IOException {
        TestImage.closed(base);
        Files.delete(base.resolveSibling("memory-0"));
        TestImage.truncate(base.resolveSibling("memory-3"), 7);
        String label = TestImage.label(base, 3);
        ToolRun run = verify().exits(1);
        assertThat(run.out().lines().toList()).satisfies(lines -> assertThat(lines)
                .filteredOn(line -> line.contains("Data file is missing: "))
                .singleElement()
                .asString()
                .startsWith(base + ": trades: "));
        assertThat(run.out().lines().toList()).satisfies(lines -> assertThat(lines)
                .anySatisfy(line -> assertThat(line).startsWith(base + ": " + label + ": Data file is truncated: "))
                .last()
                .isEqualTo(base + ": " + (lines.size() - 1) + " problems"));
    }

    @Test
    void verify_damagedCatalog_isListed() throws IOException {
        TestImage.closed(base);
        TestImage.damageRecords(base);
        assertThat(verify().exits(1).out()).contains("damaged");
    }

    @Test
    void verify_severalImages_givesTheWorst() {
        TestImage.closed(base);
        ToolRun run = ToolRun.of("verify", base + "x", base.toString()).exits(COULD_NOT_READ);
        assertThat(run.err()).isEqualTo("arena: " + base + "x: no such image (did you mean "
                + base.getFileName() + "?)\n");
        assertThat(run.out()).hasLineCount(1).startsWith(base + ": no problem in ");
    }

    @Test
    void verify_directory_checksItsImagesAndNoOtherFiles() throws IOException {
        TestImage.closed(base);
        Files.writeString(base.resolveSibling("backup-1"), "not an image");
        Files.writeString(base.resolveSibling("other.catalog"), "garbage".repeat(1000));
        ToolRun run = ToolRun.of("verify", String.valueOf(base.getParent())).exits(COULD_NOT_READ);
        assertThat(run.out()).hasLineCount(1).startsWith(base + ": no problem in ");
        assertThat(run.err()).hasLineCount(1).startsWith("arena: " + base.resolveSibling("other") + ": ");
    }

    @Test
    void verify_directoryWithoutImages_couldNotRead() {
        assertThat(ToolRun.of("verify", String.valueOf(base.getParent())).exits(COULD_NOT_READ).err())
                .isEqualTo("arena: no image with a catalog in directory " + base.getParent() + "\n");
    }

    @Test
    void verify_withoutAnArgument_checksTheCurrentDirectory() {
        assertThat(ToolRun.of("verify").exits(COULD_NOT_READ).err())
                .isEqualTo("arena: no image with a catalog in directory " + Path.of("").toAbsolutePath() + "\n");
    }

    private ToolRun verify() {
        return ToolRun.of("verify", base.toString());
    }
}
