package dev.arenakit;

import dev.arenakit.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs [SoakSession] in a JVM with a heap of 64 MiB.
class SoakTest {
    private static final int MINUTES = 10;
    private static final String SEED = "1";

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
        Stream<String> all = Stream.concat(Stream.of(options), Stream.of("-Xms64m", "-Xmx64m",
                "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        // By default, the C library has a heap for each of eight threads.
        ChildJvm.Result result = ChildJvm.onClassPath(all.toArray(String[]::new))
                .withEnvironment(Map.of("MALLOC_ARENA_MAX", "2"))
                .run(SoakSession.class, Integer.toString(seconds), Integer.toString(roundMillis), SEED);
        assertThat(result.exitCode()).as(result.output()).isZero();
        System.out.println("Soak: " + result.output().strip());
    }
}
