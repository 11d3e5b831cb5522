package dev.arenakit.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class EnvironmentTest {
    @Test
    void facts_ofThisMachine_nameCommandFlagsAndPeers() {
        Map<String, String> facts = new Environment(List.of("tiny", "--forks", "1"), TinyHarness.suite(),
                new MeasuringJvm(List.of("-Xmx64m", "-XX:+UseSerialGC"), Path.of("java"), "Planted-25")).facts();

        assertThat(facts).containsEntry("Command", "tiny --forks 1")
                .containsEntry("Iterations", "warm-up 1 to 5 x 5 ms, measurement 1 x 5 ms")
                .containsEntry("JDK", "Planted-25")
                .containsEntry("Flags", "-Xmx64m -XX:+UseSerialGC")
                .containsKeys("Machine", "System", "Date");
        // The build has replaced the names of the versions.
        assertThat(facts.get("Peers")).doesNotContain("$")
                .contains("LWJGL 3.", "Netty 4.", "Agrona 2.", "fastutil 8.", "Chronicle Map ", "MapDB ");
    }

    @Test
    void commit_outsideOfAWorkingTree_isEmpty(@TempDir Path directory) {
        assertThat(Environment.commit(directory)).isEmpty();
    }

    @Test
    void busy_beyondHalfOfTheProcessors_adviseCpuTime() {
        assertThat(Environment.busy(9.24, 2)).isEqualTo("load 9.2 on 2 processors: compare CPU ns/op");
        assertThat(Environment.busy(1.1, 2)).isEqualTo("load 1.1 on 2 processors: compare CPU ns/op");
        assertThat(Environment.busy(1, 2)).isEmpty();
        assertThat(Environment.busy(-1, 2)).isEmpty();
    }

    @Test
    void steal_isAPartOfAllTime() {
        assertThat(Environment.steal(new long[]{100, 0, 0, 100, 0, 0, 0, 10}, new long[]{180, 0, 0, 110, 0, 0, 0, 20}))
                .isEqualTo("10.0 % of the processors' time");
        assertThat(Environment.steal(new long[0], new long[8])).isEmpty();
        assertThat(Environment.steal(new long[8], new long[8])).isEmpty();
    }
}
