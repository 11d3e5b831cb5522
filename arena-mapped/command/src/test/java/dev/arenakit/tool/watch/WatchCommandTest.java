package dev.arenakit.tool.watch;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.SharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class WatchCommandTest {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    private final Path base;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    WatchCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.base = directory.resolve("memory");
    }

    @Test
    void watch_ownerThatCloses_isALineForEachTimeAndHowItEnded() throws Exception {
        ToolRun run;
        try (ExecutorService watchers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolRun> watch;
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 28).build()) {
                arena.allocate("history", JAVA_LONG, 1 << 20);
                watch = watchers.submit(() -> ToolRun.into(out, "watch", base.toString(), "--interval", "0.1"));
                for (int round = 0; !watch.isDone() && occurrences("\n") < 4; round++) {
                    write(arena, round);
                }
            }
            run = watch.get();
        }
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).hasSizeGreaterThan(3)
                .anySatisfy(line -> assertThat(line).matches(
                        TIME + "  \\d+ allocations? of 8.*iB, .* on disk; \\+\\d+/s, \\+.*iB/s on disk; most: history \\+.*/s"))
                .last()
                .isEqualTo("ended: process " + ProcessHandle.current().pid() + " has closed the image");
    }

    private static void write(InfiniteArena arena, int round) throws InterruptedException {
        Thread.sleep(50);
        arena.allocate("block " + round, JAVA_LONG, 512).fill((byte) 1);
        arena.find("history").orElseThrow().asSlice(round % 128 * (64L << 10), 64 << 10).fill((byte) 1);
    }

    private int occurrences(String text) {
        return out.toString(UTF_8).split(text, -1).length - 1;
    }

    private void awaitOccurrences(Future<?> watch, String text, int count) throws InterruptedException {
        while (!watch.isDone() && occurrences(text) < count) {
            Thread.sleep(10);
        }
    }

    @Test
    void watch_onAScreen_refreshesInPlace() throws Exception {
        ToolRun run;
        try (ExecutorService watchers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolRun> watch;
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 28).build()) {
                for (int i = 0; i < 20; i++) {
                    arena.allocate("\u6f22\u5b57\u202e".repeat(20) + i, JAVA_LONG, 8).set(JAVA_LONG, 0, 1);
                }
                watch = watchers.submit(() -> ToolRun.onScreen("", out, "watch", base.toString(), "-i", "0.1"));
                awaitOccurrences(watch, "\u001b\\[\\d+A\r", 2);
            }
            run = watch.get();
        }
        String[] screens = run.out().split("\u001b\\[\\d+A\r", -1);
        assertThat(screens).hasSizeGreaterThan(2);
        assertThat(screens[0].lines()).hasSizeLessThanOrEqualTo(12)
                .first()
                .asString()
                .startsWith(base.toString())
                .endsWith("\u001b[K");
        assertThat(run.out()).contains("\u001b[" + (screens[0].lines().count() - 1) + "A\r")
                .contains("NAME")
                .doesNotContain("\u202e");
        assertThat(run.out()).endsWith(" has closed the image\n");
    }

    @Test
    void watch_ownerThatDies_saysSo() throws Exception {
        Process owner = new ProcessBuilder(TestImage.command(base)).start();
        try (ExecutorService watchers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(owner.getInputStream().read()).isPositive();
            Future<ToolRun> watch = watchers
                    .submit(() -> ToolRun.into(out, "watch", base.toString(), "--interval", "3600"));
            awaitOccurrences(watch, "\n", 1);
            owner.destroyForcibly();
            assertThat(watch.get().out().lines().toList()).hasSizeBetween(2, 3)
                    .last()
                    .isEqualTo("ended: process " + owner.pid() + " has died without closing the image");
        } finally {
            owner.destroyForcibly();
        }
    }

    @Test
    void watch_withoutOwner_isAProblem() throws IOException {
        TestImage.closed(base);
        ToolRun run = ToolRun.of("watch", base.toString());
        assertThat(run.err()).isEqualTo(
                "arena: " + base + ": no process has it open; arena ls lists its allocations\n");
        assertThat(run.exitCode()).isEqualTo(1);
    }

    @Test
    void watch_impossibleInterval_isBadUsage() {
        for (String interval : new String[]{"0", "-1", "NaN", "1e9", "often"}) {
            ToolRun run = ToolRun.of("watch", base.toString(), "--interval", interval);
            assertThat(run.err()).as(interval).hasLineCount(1).contains("--interval");
            assertThat(run.exitCode()).as(interval).isEqualTo(2);
        }
    }
}
