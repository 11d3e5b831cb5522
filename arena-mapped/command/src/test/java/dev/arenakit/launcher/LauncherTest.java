package dev.arenakit.launcher;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class LauncherTest {
    private final Path root;
    private final FakeMachine machine;
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    LauncherTest(@TempDir Path root) {
        this.root = root;
        this.machine = new FakeMachine(root);
    }

    @Test
    void runElsewhere_noJava_saysInOneLineWhatToInstall() {
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString(UTF_8)).hasLineCount(1)
                .startsWith("arena: Java 25 or newer is needed")
                .contains("Eclipse Temurin 25", "JAVA_HOME");
    }

    @Test
    void runElsewhere_java_getsTheArgumentsAndGivesTheExitCode() throws IOException {
        Path home = machine.install("usr/lib/jvm/25", "25");
        Path record = root.resolve("record");
        FakeMachine.writeProgram(home, "printf '%s\\n' \"$@\" >'" + record + "'; exit 42");
        assertThat(run("hexdump", "a b", "")).isEqualTo(42);
        assertThat(Files.readAllLines(record)).contains("--enable-native-access=ALL-UNNAMED")
                .endsWith("dev.arenakit.tool.Main", "hexdump", "a b", "");
        assertThat(err.size()).isZero();
    }

    @Test
    void runElsewhere_javaThatCannotRun_isReportedInOneLine() throws IOException {
        Path home = machine.install("usr/lib/jvm/25", "25");
        Files.writeString(JdkFinder.program(home), "#!/no/such/interpreter\n");
        assertThat(run()).isEqualTo(1);
        assertThat(err.toString(UTF_8)).hasLineCount(1).startsWith("arena: Java cannot be started: ");
    }

    @Test
    void isUndecoded_inACharsetWithoutTheReplacement_isTrue() {
        assertThat(Launcher.isUndecoded("d\ufffd\ufffdf", "ANSI_X3.4-1968")).isTrue();
        assertThat(Launcher.isUndecoded("d\u00e9f", "ANSI_X3.4-1968")).isFalse();
        assertThat(Launcher.isUndecoded("d\ufffd", "UTF-8")).isFalse();
    }

    private int run(String... args) {
        return Launcher.runElsewhere(machine.finder(), new PrintStream(err, true, UTF_8), args);
    }

    @ParameterizedTest
    @ValueSource(strings = {"usr/lib/jvm/temurin-25", "usr/lib64/jvm/jdk", "usr/java/jdk-25", "opt/java/openjdk",
            "opt/jdk-25.0.3", "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home",
            "home/me/.sdkman/candidates/java/25-tem", "home/me/.jdks/temurin-25", "home/me/.asdf/installs/java/25",
            "home/me/.local/share/mise/installs/java/25",
            "home/me/Library/Java/JavaVirtualMachines/temurin.jdk/Contents/Home", "own/sibling"})
    void find_installedInAUsualPlace_isFound(String place) throws IOException {
        Path home = machine.install(place, "25.0.3");
        assertThat(find()).hasValue(home);
    }

    @Test
    void find_javaHome_comesFirst() throws IOException {
        machine.install("usr/lib/jvm/25", "25.0.1");
        Path home = machine.install("somewhere", "26");
        machine.set("JAVA_HOME", home.toString());
        assertThat(find()).hasValue(home);
    }

    @Test
    void find_javaHomeTooOld_isPassedOver() throws IOException {
        machine.set("JAVA_HOME", machine.install("somewhere", "17.0.15").toString());
        Path home = machine.install("usr/lib/jvm/25", "25.0.1");
        assertThat(find()).hasValue(home);
    }

    @Test
    void find_linkOnThePath_isFollowedToItsHome() throws IOException {
        Path home = machine.install("elsewhere/jdk", "25");
        Path bin = Files.createDirectories(root.resolve("usr/bin"));
        Files.createSymbolicLink(bin.resolve("java"), JdkFinder.program(home));
        machine.set("PATH", root.resolve("nowhere") + File.pathSeparator + File.pathSeparator + bin);
        assertThat(find()).hasValue(home.toRealPath());
    }

    @Test
    void find_severalInstalled_isTheOldestThatWillDo() throws IOException {
        machine.install("usr/lib/jvm/a", "27-ea");
        machine.install("usr/lib/jvm/b", "24.0.2");
        Path home = machine.install("usr/lib/jvm/c", "25.0.2");
        machine.install("usr/lib/jvm/d", "1.8.0_412");
        machine.install("usr/lib/jvm/e", "26.0.1");
        assertThat(find()).hasValue(home);
    }

    @Test
    void find_noneNewEnough_isEmpty() throws IOException {
        machine.install("usr/lib/jvm/a", "1.8.0_412");
        machine.install("usr/lib/jvm/b", "24.0.2");
        machine.install("own/java", "17.0.15");
        assertThat(find()).isEmpty();
    }

    @Test
    void find_whatOnlyLooksLikeJava_isPassedOver() throws IOException {
        Path noProgram = Files.createDirectories(root.resolve("usr/lib/jvm/no-program"));
        Files.writeString(noProgram.resolve("release"), "JAVA_VERSION=\"25\"\n");
        FakeMachine.writeProgram(root.resolve("usr/lib/jvm/no-release"), "exit 0");
        Files.write(machine.install("usr/lib/jvm/garbage", "25").resolve("release"), new byte[]{(byte) 0xff, 0, 10});
        machine.install("usr/lib/jvm/no-number", "");
        machine.set("JAVA_HOME", "\0");
        assertThat(find()).isEmpty();
    }

    private Optional<Path> find() {
        return machine.finder().find(version -> version >= Launcher.NEEDED);
    }

    /// A directory tree that looks like a machine on which versions of Java are installed.
    static final class FakeMachine {
        private final Path root;
        private final Map<String, String> environment = new HashMap<>();

        FakeMachine(Path root) {
            this.root = root;
        }

        /// Installs a Java that consists of a program and a `release` file.
        ///
        /// @param home    below the root
        /// @param version the version in the file
        /// @return the home directory
        Path install(String home, String version) throws IOException {
            Path directory = root.resolve(home);
            writeProgram(directory, "exit 0");
            Files.writeString(directory.resolve("release"),
                    "IMPLEMENTOR=\"Somebody\"\nJAVA_RUNTIME_VERSION=\"99.0.1+9\"\nJAVA_VERSION=\"" + version + "\"\n");
            return directory;
        }

        /// Makes the program of a home, a shell script.
        static void writeProgram(Path home, String script) throws IOException {
            Path program = JdkFinder.program(home);
            Files.createDirectories(program.getParent());
            Files.writeString(program, "#!/bin/sh\n" + script + "\n");
            if (!program.toFile().setExecutable(true)) {
                throw new IOException("File cannot be made executable: path=" + program);
            }
        }

        void set(String variable, String value) {
            environment.put(variable, value);
        }

        /// A finder whose own Java is in `/own/java`.
        JdkFinder finder() {
            return new JdkFinder(root, root.resolve("home/me"), root.resolve("own/java"), environment);
        }
    }
}
