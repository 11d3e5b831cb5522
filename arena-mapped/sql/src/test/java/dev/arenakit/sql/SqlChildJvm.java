package dev.arenakit.sql;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Runs a class of the tests in a new JVM on the module path, where native access is granted to `dev.arenakit`.
final class SqlChildJvm {
    private static final String MODULE = SqlChildJvm.class.getModule().getName();

    private SqlChildJvm() {}

    /// Runs the class and waits for its end.
    ///
    /// @return its output
    static String run(Class<?> main) throws IOException, InterruptedException {
        List<String> command = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=dev.arenakit", "--illegal-native-access=deny", "-Xshare:auto",
                "-XX:TieredStopAtLevel=1", "-Xmx64m", "-cp", System.getProperty("java.class.path"), "--module-path",
                System.getProperty("jdk.module.path"), "--patch-module", MODULE + "=" + testClasses(), "--module",
                MODULE + "/" + main.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static Path testClasses() {
        try {
            return Path.of(SqlChildJvm.class.getResource("SqlChildJvm.class").toURI())
                    .resolve("../../../..")
                    .normalize();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
