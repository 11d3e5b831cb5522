package dev.arenakit.spark;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// On an older JDK, this source says what it needs, and all other sources work.
class OlderJdkTest {
    private static final String PROGRAM = """
            import org.apache.spark.sql.SparkSession;

            public class Program {
                public static void main(String[] arguments) {
                    SparkSession spark = SparkSession.builder()
                            .master("local[1]")
                            .config("spark.ui.enabled", "false")
                            .config("spark.driver.host", "localhost")
                            .config("spark.driver.bindAddress", "127.0.0.1")
                            .getOrCreate();
                    spark.range(3).write().format("json").save(arguments[0]);
                    System.out.println("json: " + spark.read().format("json").load(arguments[0]).count());
                    try {
                        spark.read().format("arenakit").option("allocation", "trades").load(arguments[0]);
                    } catch (UnsupportedOperationException e) {
                        System.out.println("arenakit: " + e.getMessage());
                    }
                    spark.stop();
                }
            }
            """;

    @TempDir
    private Path directory;

    @Test
    void format_onAnOlderJdk_saysWhichJdkIsNeeded() throws IOException {
        Path java = olderJava().orElse(null);
        assumeTrue(java != null, "needs a JDK from 17 to 24 in /usr/lib/jvm: apt-get install openjdk-17-jre-headless");
        Path source = Files.writeString(directory.resolve("Program.java"), PROGRAM);
        String classPath = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "--release", "17", "-proc:none", "-nowarn", "-cp", classPath, "-d",
                        directory.toString(), source.toString()))
                .isZero();
        List<String> command = new ArrayList<>(List.of(String.valueOf(java), "-XX:+IgnoreUnrecognizedVMOptions"));
        Stream.of(System.getProperty("test.spark.flags").split(" ", -1))
                .filter(flag -> flag.startsWith("--add-opens") || flag.startsWith("-D"))
                .forEach(command::add);
        command.addAll(List.of("-cp", directory + ":" + classPath, "Program", directory.resolve("json").toString()));
        assertThat(ChildJvm.run(new ProcessBuilder(command).redirectErrorStream(true))).contains("json: 3")
                .contains("arenakit: Arenakit needs JDK 25 or newer: version=");
    }

    private static Optional<Path> olderJava() throws IOException {
        Path all = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(all)) {
            return homes.filter(OlderJdkTest::isOlder)
                    .map(home -> home.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }

    private static boolean isOlder(Path home) {
        try (Stream<String> lines = Files.lines(home.resolve("release"))) {
            return lines.anyMatch(line -> line.matches("JAVA_VERSION=\"(17|18|19|2[0-4])\\b.*"));
        } catch (IOException _) {
            return false;
        }
    }
}
