package dev.arenakit.bench;

import dev.arenakit.bench.micro.stored.SqlQueries;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class MeasuringJvmTest {
    private static final Path HERE = Path.of(System.getProperty("java.home"));

    private static final MeasuringJvm JVM = new MeasuringJvm(List.of(), Path.of("java"), "Planted-25");

    @TempDir
    Path directory;

    /// The default heap of 1 GiB is given before the arguments of a benchmark.
    @Test
    void heap_ofABenchmarkThatNeedsASmallOne_hasASmallInitialSizeToo() {
        Fork fork = SqlQueries.class.getAnnotation(Fork.class);

        assertThat(fork.jvmArgsAppend()).contains("-Xmx64m").contains("-Xms64m");
    }

    @Test
    void jdk_hasTheNameInItsFile() {
        MeasuringJvm jvm = MeasuringJvm.of(List.of("-Xmx1g"), HERE);
        assertThat(jvm.name()).contains(Integer.toString(Runtime.version().feature())).doesNotContain("\"");
        assertThat(jvm.java()).isEqualTo(HERE.resolve("bin/java"));
        assertThat(MeasuringJvm.of(List.of("-Xmx1g"), HERE.resolve("bin/java"))).isEqualTo(jvm);
        assertThat(jvm.args(List.of("-Dlast=1"))).containsExactly("-XX:+UseG1GC",
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", "-Xmx1g", "-Dlast=1");
    }

    @Test
    void jdk_thatIsNone_isRefused() throws IOException {
        assertThatIllegalArgumentException().isThrownBy(() -> MeasuringJvm.of(List.of(), directory))
                .withMessage("No JDK: jvm=" + directory);
        Path java = Files.createDirectory(directory.resolve("bin")).resolve("java");
        assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> MeasuringJvm.of(List.of(), directory))
                .withMessage("Not the file of a JDK: file=" + directory.resolve("release"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"17.0.9", "24", "1.8.0_392"})
    void jdk_thatIsTooOld_isRefusedWithItsVersion(String version) throws IOException {
        Path java = Files.createDirectory(directory.resolve("bin")).resolve("java");
        assertThat(Files.createFile(java).toFile().setExecutable(true)).isTrue();
        Path release = directory.resolve("release");
        Files.writeString(release, "JAVA_VERSION=\"" + version + "\"\n");

        assertThatIllegalArgumentException().isThrownBy(() -> MeasuringJvm.of(List.of(), directory))
                .withMessage("The JDK is older than the benchmarks need: jvm=" + directory + ", version=" + version
                        + ", needed=25");
        Files.writeString(release, "JAVA_VERSION=\"26-ea\"\n");
        assertThat(MeasuringJvm.of(List.of(), directory).name()).isEqualTo("26-ea");
        Files.writeString(release, "JAVA_VERSION=\"28\"\nJAVA_RUNTIME_VERSION=\"28-ea+18\"\n");
        assertThat(MeasuringJvm.of(List.of(), directory).name()).isEqualTo("28-ea+18");
    }

    /// The needed version is the version of the class files.
    @Test
    void classFiles_areOfTheVersionThatIsNeeded() throws IOException {
        try (InputStream stream = Objects
                .requireNonNull(MeasuringJvm.class.getResourceAsStream("MeasuringJvm.class"))) {
            ByteBuffer start = ByteBuffer.wrap(stream.readNBytes(8));
            assertThat(start.getShort(6) - 44).isEqualTo(MeasuringJvm.NEEDED);
        }
    }

    @Test
    void heapAndCollector_areTheSameUnlessOthersAreGiven() {
        assertThat(MeasuringJvm.withHeapAndCollector(List.of(), List.of())).containsExactly("-Xms1g", "-Xmx1g",
                "-XX:+UseG1GC");
        assertThat(MeasuringJvm.withHeapAndCollector(List.of(), List.of("-Xmx300m", "-Done")))
                .containsExactly("-XX:+UseG1GC", "-Xmx300m", "-Done");
        assertThat(MeasuringJvm.withHeapAndCollector(List.of("-XX:+UseZGC"), List.of("-Done")))
                .containsExactly("-Xms1g", "-Xmx1g", "-Done");
        assertThat(MeasuringJvm.withHeapAndCollector(List.of("-XX:MaxRAMPercentage=50"), List.of("-XX:+UseSerialGC")))
                .containsExactly("-XX:+UseSerialGC");
        assertThat(MeasuringJvm.withHeapAndCollector(List.of(), List.of("-Xmn64m", "-XX:SoftMaxHeapSize=512m")))
                .containsExactly("-Xms1g", "-Xmx1g", "-XX:+UseG1GC", "-Xmn64m", "-XX:SoftMaxHeapSize=512m");
        for (String initial : List.of("-Xms64m", "-XX:MinHeapSize=64m", "-XX:InitialHeapSize=64m")) {
            assertThat(MeasuringJvm.withHeapAndCollector(List.of(), List.of(initial)))
                    .containsExactly("-Xmx1g", "-XX:+UseG1GC", initial);
        }
    }

    @Test
    void args_ofACandidateWithAnotherHeapOrCollector_replaceTheUsualOnes() {
        assertThat(JVM.args(List.of("-XX:+UseZGC")))
                .endsWith("-XX:+UseZGC")
                .doesNotContain("-XX:+UseG1GC");
        assertThat(JVM.args(List.of("-Xmx64m"))).endsWith("-Xmx64m")
                .doesNotContain("-Xms1g", "-Xmx1g");
        assertThat(MeasuringJvm.withHeapAndCollector(List.of(), List.of("-XX:+UseMaximumCompactionOnSystemGC")))
                .contains("-XX:+UseG1GC");
    }

    @Test
    void args_ofAJdkWithoutTheFlagForUnsafe_lackIt() throws IOException {
        Path java = directory.resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                case "$*" in *unsafe*) echo "Unrecognized option: $1" >&2; exit 1; esac
                echo 99
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();

        assertThat(MeasuringJvm.ofJdk(java)).containsExactly("--enable-native-access=ALL-UNNAMED");
        assertThat(MeasuringJvm.ofJdk(HERE.resolve("bin/java"))).containsExactly(
                "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }

    @Test
    void args_ofTheEnvironment_areInherited() {
        assertThat(MeasuringJvm.ofEnvironment(Map.of("JAVA_TOOL_OPTIONS", " -Xint  -Xmx4g", "JAVA_OPTS", "-Dno=1",
                "JDK_JAVA_OPTIONS", "-Done=1"))).containsExactly("-Done=1", "-Xint", "-Xmx4g");
    }
}
