package dev.arenakit.tool.purge;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.UnfinishedImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class PurgeCommandTest extends InSharedMemory {

    @Test
    void purge_directory_removesDeadAndClosedImagesAndNothingElse() throws IOException, InterruptedException {
        TestImage.closed(directory.resolve("closed"));
        TestImage.killed(directory.resolve("died"));
        Files.writeString(directory.resolve("closed-7"), "not recorded");
        Files.writeString(directory.resolve("files-0"), "no catalog");
        Files.writeString(directory.resolve("closed-0.bak"), "another name");
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("open"))) {
            arena.names().allocate("counter", JAVA_LONG, 1);
            ToolRun run = purge("--yes").exits(0);
            assertThat(run.err())
                    .isEqualTo("arena: " + directory + "/closed-7: not removed: its image does not record it\n");
            assertThat(run.out().lines()).satisfiesExactly(
                    closed -> assertThat(closed)
                            .matches("removed " + directory + "/closed: .*iB on disk; closed, unchanged for \\d+ s"),
                    died -> assertThat(died)
                            .matches("removed " + directory + "/died: .*iB on disk; died, unchanged for \\d+ s"),
                    sum -> assertThat(sum).matches("freed .*iB on disk in 2 images"));
            assertThat(names()).containsExactly("closed-0.bak", "closed-7", "files-0", "open-0", "open.catalog",
                    "open.lock");
            arena.names().allocate("more", JAVA_LONG, 1);
        }
    }

    @Test
    void purge_dryRun_saysTheSameAndRemovesNothing() throws IOException {
        TestImage.closed(directory.resolve("closed"));
        List<String> before = names();
        ToolRun run = purge("--dry-run");
        assertThat(run.out().lines()).satisfiesExactly(
                closed -> assertThat(closed).startsWith("would remove " + directory + "/closed: "),
                sum -> assertThat(sum).matches("would free .*iB on disk in 1 image"));
        assertThat(names()).isEqualTo(before);
        String freed = run.out().replace("would free", "freed").lines().skip(1).findFirst().orElseThrow();
        assertThat(purge("--yes").out().lines().skip(1)).containsExactly(freed);
        assertThat(names()).isEmpty();
    }

    @Test
    void purge_ownedImageByItsBase_isRefusedWithThePid() throws IOException {
        Path base = directory.resolve("open");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            arena.allocate(8);
            ToolRun run = ToolRun.of("purge", "--yes", base.toString()).exits(1);
            assertThat(run.err()).isEqualTo(
                    "arena: " + base + ": process " + ProcessHandle.current().pid() + " has it open\n");
            assertThat(run.out()).isEqualTo("nothing to remove\n");
            assertThat(names()).hasSize(3);
        }
    }

    @Test
    void purge_unfinishedImage_removesItLikeAnother() throws IOException {
        Path base = directory.resolve("unfinished");
        UnfinishedImages.create(base);
        Files.createFile(directory.resolve("unfinished-0"));
        ToolRun listed = purge("--dry-run");
        assertThat(listed.out()).contains("would remove " + base + ": ").contains("; unfinished, unchanged for ");
        assertThat(listed.err()).isEmpty();
        assertThat(purge("--yes", "--older-than", "1h").out()).isEqualTo("nothing to remove\n");
        assertThat(names()).hasSize(3);
        assertThat(purge("--yes").succeeds().out()).contains("removed " + base + ": ").endsWith("in 1 image\n");
        assertThat(names()).isEmpty();
    }

    @Test
    void purge_zeroCatalogBesideDataOrWithoutLock_isReportedAndLeft() throws IOException {
        UnfinishedImages.create(directory.resolve("data"));
        Files.writeString(directory.resolve("data-0"), "somebody's");
        UnfinishedImages.create(directory.resolve("alone"));
        Files.delete(directory.resolve("alone.lock"));
        ToolRun run = purge("--yes").exits(1);
        assertThat(run.out()).isEqualTo("nothing to remove\n");
        assertThat(run.err()).contains("alone.catalog: No catalog of an image")
                .contains("data.catalog: No catalog of an image");
        assertThat(names()).containsExactly("alone.catalog", "data-0", "data.catalog", "data.lock");
    }

    @Test
    void purge_olderThanOrCatalogs_leaveTheOthers() throws IOException {
        for (String name : List.of("prices-a", "prices-b", "orders")) {
            InfiniteArena.ofShared(directory.resolve(name)).close();
        }
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(8)));
        for (String name : List.of("prices-b", "orders")) {
            Files.setLastModifiedTime(directory.resolve(name + ".catalog"), old);
        }
        // The images were opened a moment ago, although their files have old times.
        assertThat(purge("--yes", "--older-than", "7d").out()).isEqualTo("nothing to remove\n");
        assertThat(ToolRun.of("purge", "--yes", directory + "/prices-b.catalog").out())
                .contains("removed " + directory + "/prices-b: ");
        assertThat(names()).containsExactly("orders.catalog", "orders.lock", "prices-a.catalog", "prices-a.lock");
        assertThat(purge("--yes", "--older-than", "0s").out()).contains("in 2 images\n");
    }

    @Test
    void purge_changedInTheFuture_isNotOlderThanATime() throws IOException {
        Path base = TestImage.closed(directory.resolve("closed"));
        Files.setLastModifiedTime(directory.resolve("closed-0"), FileTime.from(Instant.parse("2200-01-02T03:04:05Z")));
        assertThat(purge("--yes", "--older-than", "1s").exits(0).out()).isEqualTo("nothing to remove\n");
        assertThat(purge("--yes").exits(0).out()).startsWith("removed " + base + ": ")
                .contains("; closed, unchanged for 0 s");
        assertThat(names()).isEmpty();
    }

    @Test
    void purge_sparseCatalogOfAnotherUser_isNotRead() throws IOException {
        Path catalog = directory.resolve("theirs.catalog");
        Files.writeString(catalog, "not a catalog");
        try {
            Files.setAttribute(catalog, "unix:uid", 65_533);
        } catch (IOException e) {
            assumeTrue(false, "needs root, which may give files to other users: " + e);
        }
        // Its contents are not reported.
        assertThat(purge("--yes")).isEqualTo(new ToolRun(0, "nothing to remove\n", ""));
    }

    @Test
    void purge_linkInPlaceOfAFile_staysWithWhatItLeadsTo() throws IOException {
        TestImage.closed(directory.resolve("closed"));
        Path precious = Files.writeString(directory.resolve("precious"), "precious");
        Path link = directory.resolve("closed-0");
        Files.delete(link);
        Files.createSymbolicLink(link, precious);
        TestImage.closed(directory.resolve("other"));
        ToolRun announced = purge("--dry-run").exits(1);
        assertThat(announced.out()).startsWith("would remove " + directory + "/other: ").contains("in 1 image\n");
        ToolRun run = purge("--yes").exits(1);
        assertThat(announced.err()).isEqualTo(run.err());
        assertThat(run.err()).hasLineCount(1)
                .startsWith("arena: " + directory + "/closed: not removed: " + link + ": it is a symbolic link");
        assertThat(run.out()).contains("removed " + directory + "/other: ").contains("in 1 image\n");
        assertThat(Files.readString(link)).isEqualTo("precious");
        assertThat(names()).containsExactly("closed-0", "closed.catalog", "closed.lock", "precious");
        Files.delete(link);
        assertThat(purge("--yes").exitCode()).isZero();
        assertThat(names()).containsExactly("precious");
    }

    @Test
    void purge_linkForACatalogOrGarbage_isLeft() throws IOException {
        Path base = TestImage.closed(directory.resolve("closed"));
        Files.createSymbolicLink(directory.resolve("link.catalog"), directory.resolve("closed.catalog"));
        Files.writeString(directory.resolve("garbage.catalog"), "garbage");
        Files.writeString(directory.resolve("link-0"), "somebody's");
        assertThat(ToolRun.of("purge", "--yes", directory + "/garbage", directory + "/link").exits(1).err())
                .contains("garbage.catalog: No catalog of an image")
                .contains("link: not removed: " + directory + "/link.catalog: it is a symbolic link");
        assertThat(names()).contains("link.catalog", "link-0", "garbage.catalog", "closed-0", "closed.catalog")
                .doesNotContain("link.lock", "garbage.lock");
        assertThat(ToolRun.of("verify", base.toString()).exitCode()).isZero();
    }

    @Test
    void purge_imageOfAnotherUser_isLeftWithTheFilesThatItRecords() throws IOException {
        Path base = TestImage.closed(directory.resolve("theirs"));
        Path catalog = directory.resolve("theirs.catalog");
        try {
            Files.setAttribute(catalog, "unix:uid", 65_533);
        } catch (IOException e) {
            assumeTrue(false, "needs root, which may give files to other users: " + e);
        }
        List<String> before = names();
        assertThat(purge("--yes")).isEqualTo(new ToolRun(0, "nothing to remove\n", ""));
        assertThat(ToolRun.of("purge", "--yes", base.toString()).exits(1).err())
                .startsWith("arena: " + base + ": it belongs to another user: ");
        Files.setAttribute(catalog, "unix:uid", Files.getAttribute(directory, "unix:uid"));
        Files.setAttribute(directory.resolve("theirs-0"), "unix:uid", 65_533);
        assertThat(purge("--yes").exits(1).err())
                .startsWith("arena: " + base + ": not removed: " + base + "-0: it belongs to another user");
        assertThat(names()).contains("theirs-0", "theirs.catalog").isSubsetOf(before);
    }

    @Test
    void purge_withoutAnOption_isBadUsage() throws IOException {
        TestImage.closed(directory.resolve("closed"));
        ToolRun run = purge().exits(2);
        assertThat(run.err()).hasLineCount(1).contains("--yes", "--dry-run", "see arena purge --help");
        assertThat(purge("--yes", "--older-than", "soon").exitCode()).isEqualTo(2);
        assertThat(names()).contains("closed.catalog");
    }

    @Test
    void purge_noSuchImage_isReported() {
        Path base = directory.resolve("none");
        assertThat(ToolRun.of("purge", "--yes", base.toString()))
                .isEqualTo(new ToolRun(1, "nothing to remove\n", "arena: " + base + ": no such image\n"));
    }

    private ToolRun purge(String... options) {
        return ToolRun.of(Stream.concat(Stream.of("purge", directory.toString()), Stream.of(options))
                .toArray(String[]::new));
    }
}
