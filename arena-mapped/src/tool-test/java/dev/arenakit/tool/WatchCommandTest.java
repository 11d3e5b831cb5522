package dev.arenakit.tool;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class WatchCommandTest {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    private final Path base;

    WatchCommandTest(@TempDir(factory = SharedMemory.class) Path directory) {
        this.base = directory.resolve("memory");
    }

    /// Some tenths of a second, for it is about what happens in time.
    @Test
    void watch_ownerThatCloses_isALineForEachTimeAndHowItEnded() throws Exception {
        ToolRun run;
        try (ExecutorService watchers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolRun> watch;
            try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1 << 28).build()) {
                arena.allocate("history", JAVA_LONG, 1 << 20);
                watch = watchers.submit(() -> ToolRun.of("watch", base.toString(), "--interval", "0.2"));
                write(arena, 8);
            }
            run = watch.get();
        }
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList()).hasSizeGreaterThan(3)
                .anySatisfy(line -> assertThat(line).matches(
                        TIME + "  \\d allocations? of 8.*iB, .* on disk; \\+\\d+/s, \\+.*iB/s on disk; most: history \\+.*/s"))
                .last()
                .isEqualTo("ended: process " + ProcessHandle.current().pid() + " has closed the image");
    }

    private static void write(InfiniteArena arena, int rounds) throws InterruptedException {
        for (int round = 0; round < rounds; round++) {
            Thread.sleep(100);
            arena.allocate("block " + round, JAVA_LONG, 512).fill((byte) 1);
            arena.find("history").orElseThrow().asSlice(round * (64L << 10), 64 << 10).fill((byte) 1);
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
                watch = watchers.submit(() -> ToolRun.onScreen("", "watch", base.toString(), "-i", "0.1"));
                Thread.sleep(500);
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
                    .submit(() -> ToolRun.of("watch", base.toString(), "--interval", "3600"));
            Thread.sleep(300);
            owner.destroyForcibly();
            assertThat(watch.get().out().lines().toList()).hasSizeBetween(2, 3)
                    .last()
                    .isEqualTo("ended: process " + owner.pid() + " has died and not closed the image");
        } finally {
            owner.destroyForcibly();
        }
    }

    @Test
    void watch_withoutOwner_isAProblem() throws IOException {
        TestImage.closed(base);
        ToolRun run = ToolRun.of("watch", base.toString());
        assertThat(run.err()).isEqualTo(
                "arena: " + base + ": no process is at work on it; arena ls lists what is in it\n");
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
