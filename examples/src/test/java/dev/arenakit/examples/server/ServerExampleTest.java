package dev.arenakit.examples.server;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

class ServerExampleTest {
    private static final String PRINTED = """
            48 clients, 16 slabs: 480 requests are answered, 240 are abandoned, 0 arenas are open.
            A full pool: the answer is 503, and 200 after an arena was closed.
            A shutdown: the request that had begun is answered, 48 clients are refused, closed=true.
            """;
    private static final Pattern LONG_RUN = Pattern.compile(".*Resident memory: (\\d+) KiB, then (\\d+) KiB\\.\n");
    /// What the JVM may take for code that is compiled meanwhile.
    private static final long GROWTH_KILOBYTES = 24 << 10;

    @Test
    void run_oneRound_answersAllClients() throws Exception {
        CapturedOutput printed = new CapturedOutput();
        ServerExample.run(printed.stream(), Duration.ZERO);
        assertThat(printed).hasToString(PRINTED);
    }

    @Test
    @Tag("slow")
    @EnabledOnOs(OS.LINUX)
    void run_twoMinutes_takesNoFurtherMemory() throws IOException {
        // The heap is touched before, so that the process grows by native memory only.
        ChildJvm.Result result = ChildJvm
                .onClassPath("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED")
                .withEnvironment(Map.of("MALLOC_ARENA_MAX", "2"))
                .run(ServerExample.class, "120");
        assertThat(result.exitCode()).as(result.output()).isZero();
        Matcher found = LONG_RUN.matcher(result.output());
        assertThat(found.find()).as(result.output()).isTrue();
        assertThat(Long.parseLong(found.group(2)) - Long.parseLong(found.group(1))).as(result.output())
                .isLessThan(GROWTH_KILOBYTES);
        assertThat(found.replaceFirst("")).isEqualTo(PRINTED);
    }
}
