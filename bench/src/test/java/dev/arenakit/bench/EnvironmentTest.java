package dev.arenakit.bench;

import dev.arenakit.bench.candidate.AllocatorLibraries;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class EnvironmentTest {
    @Test
    void facts_ofThisMachine_nameCommandHeapAndPeers() {
        Map<String, String> facts = new Environment().facts(List.of("tiny", "--forks", "1"), TinyHarness.suite(),
                MeasuringJvms.DEFAULT, List.of("-Xmx64m", "-XX:+UseSerialGC", "-Dother"));

        assertThat(facts).containsEntry("Command", "tiny --forks 1")
                .containsEntry("Iterations", "warm-up 1 to 5 x 20 ms, measurement 1 x 20 ms")
                .containsEntry("Heap", "64 MiB at most, Serial GC");
        assertThat(facts.get("Peers")).contains("LWJGL 3.", "Netty 4.", "Agrona 2.", "fastutil 8.",
                "Eclipse Collections ", "Chronicle Map ", "MapDB ");
        assertThat(facts.getOrDefault("Allocators", "")).isEqualTo(String.join(", ", AllocatorLibraries.fileNames()));
    }

    /// The jars of these peers name no version inside, so the jar of the benchmarks does.
    @Test
    void versions_ofTheBuild_areThoseOfTheClassPath() {
        for (String peer : List.of("Agrona", "fastutil")) {
            assertThat(PeerVersions.describe()).contains(peer + " " + PeerVersions.ofBuild(peer).orElseThrow());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void facts_onLinux_nameLibraryHugePagesAndSteal() throws Exception {
        Environment environment = new Environment();
        // A clock tick of the kernel, and some more.
        Thread.sleep(50);
        Map<String, String> facts = environment.facts(List.of(), TinyHarness.suite(), MeasuringJvms.DEFAULT, List.of());

        assumeTrue(Files.readString(Path.of("/proc/stat")).startsWith("cpu  "), "No times of processors");
        assertThat(facts.getOrDefault("Steal", "")).endsWith(" % of the processors' time");
        if (Files.exists(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"))) {
            assertThat(facts.getOrDefault("Huge pages", ""))
                    .containsPattern("transparent: .*\\[(always|madvise|never)]");
        }
        if (Files.isExecutable(Path.of("/usr/bin/getconf")) && new ProcessBuilder("getconf", "GNU_LIBC_VERSION").start()
                .waitFor() == 0) {
            assertThat(facts.getOrDefault("C library", "")).startsWith("glibc ");
        }
    }

    @Test
    void commit_isThatOfTheStart(@TempDir Path directory) throws Exception {
        assumeTrue(git(directory, "init", "-q"), "Git is not installed");
        assertThat(commit(directory, "one")).isTrue();
        Environment environment = new Environment(Optional.of(directory));
        String before = commit(environment);
        assertThat(commit(directory, "two")).isTrue();

        assertThat(commit(environment)).isEqualTo(before)
                .isNotEqualTo(
                        commit(new Environment(Optional.of(directory))));
    }

    private static String commit(Environment environment) {
        return Objects
                .requireNonNull(environment.facts(List.of(), TinyHarness.suite(), MeasuringJvms.DEFAULT, List.of())
                        .get("Commit"));
    }

    private static boolean commit(Path directory, String message) throws Exception {
        return git(directory, "-c", "user.name=Planted", "-c", "user.email=planted@example.org", "-c",
                "commit.gpgsign=false", "commit", "-q", "--allow-empty", "-m", message);
    }

    private static boolean git(Path directory, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of("git", "-C", directory.toString()));
        command.addAll(List.of(args));
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void heap_ofATableOfFlags_isItsLimitAndCollector() {
        assertThat(Environment.heap("""
                   size_t MaxHeapSize   = 1073741824    {product} {ergonomic}
                     bool UseG1GC       = false         {product} {default}
                     bool UseZGC        = true          {product} {command line}
                """)).contains("1024 MiB at most, Z GC");
        assertThat(Environment.heap("java: not found")).isEmpty();
    }

    @Test
    void steal_isAPartOfAllTime() {
        assertThat(Environment.steal(new long[]{100, 0, 0, 100, 0, 0, 0, 10}, new long[]{180, 0, 0, 110, 0, 0, 0, 20}))
                .contains("10.0 % of the processors' time");
        assertThat(Environment.steal(new long[0], new long[8])).isEmpty();
        assertThat(Environment.steal(new long[8], new long[8])).isEmpty();
    }
}
