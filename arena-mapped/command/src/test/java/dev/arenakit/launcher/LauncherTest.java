package dev.arenakit.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
