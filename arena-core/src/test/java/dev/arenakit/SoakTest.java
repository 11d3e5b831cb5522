package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs [SoakSession] in a JVM with a heap of 64 MiB.
class SoakTest {
    private static final int MINUTES = 10;

    @Test
    void randomSessionsThatFail_inAFewRounds_loseNothing() {
        soak(1, 200);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 2 * MINUTES, unit = TimeUnit.MINUTES)
    void randomSessionsThatFail_inTenMinutes_loseNothing() {
        soak(MINUTES * 60, 1_000, ChildJvm.OPTIMIZING);
    }

    private static void soak(int seconds, int roundMillis, String... options) {
        assumeTrue(Files.exists(Path.of("/proc/self/maps")), "resident sizes are read from /proc");
        // The heap is touched before, so that the process grows by native memory only.
        String[] all = concat(options, "-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED");
        long seed = System.nanoTime();
        // By default, the C library has a heap for each of eight threads.
        ChildJvm.Result result = ChildJvm.onClassPath(all)
                .withEnvironment(Map.of("MALLOC_ARENA_MAX", "2"))
                .run(SoakSession.class, Integer.toString(seconds), Integer.toString(roundMillis), Long.toString(seed));
        assertThat(result.exitCode()).as("seed=" + seed + ": " + result.output()).isZero();
        System.out.println("Soak: seed=" + seed + " " + result.output().strip());
    }

    private static String[] concat(String[] options, String... more) {
        String[] all = new String[options.length + more.length];
        System.arraycopy(options, 0, all, 0, options.length);
        System.arraycopy(more, 0, all, options.length, more.length);
        return all;
    }
}
