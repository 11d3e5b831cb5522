package dev.arenakit.mapped;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Starts a scenario of [ChildMain], or of another class, in a new JVM on the module path, where native access is
/// denied to all modules.
public final class ChildJvm {
    private static final String DENY = "--illegal-native-access=deny";

    private ChildJvm() {}

    /// The command line of a scenario. Standard error is merged into standard output.
    static ProcessBuilder command(String... arguments) {
        return command(ChildMain.class, arguments);
    }

    /// A command with native access neither denied nor granted. Java warns when it is used.
    static ProcessBuilder commandWithoutFlags(String... arguments) {
        ProcessBuilder command = command(arguments);
        command.command().remove(DENY);
        return command;
    }

    /// A command with native access for the library.
    public static ProcessBuilder commandWithNativeAccess(Class<?> main, String... arguments) {
        ProcessBuilder command = command(main, arguments);
        command.command().add(1, "--enable-native-access=dev.arenakit,ALL-UNNAMED");
        return command;
    }

    /// The command line of another class.
    public static ProcessBuilder command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
        command.add(DENY);
        command.addAll(List.of("--module-path", System.getProperty("jdk.module.path")));
        command.addAll(List.of("--patch-module", "dev.arenakit.mapped=" + testClasses()));
        command.addAll(List.of("--module", "dev.arenakit.mapped/" + main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    /// Runs a scenario and waits for its end.
    ///
    /// @return its output
    public static String run(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static Path testClasses() {
        try {
            URI here = ChildJvm.class.getResource("ChildJvm.class").toURI();
            return Path.of(here).resolve("../../../..").normalize();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
