package dev.arenakit.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class JdkFinderTest {
    private final Path root;
    private final FakeMachine machine;

    JdkFinderTest(@TempDir Path root) {
        this.root = root;
        this.machine = new FakeMachine(root);
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
}
