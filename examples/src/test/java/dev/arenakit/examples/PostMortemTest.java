package dev.arenakit.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("full")
class PostMortemTest {
    /// Built when arena-mapped is packaged, which `mvn verify` does before it runs these tests.
    private static final Path ARENA_JAR = Path.of("..", "arena-mapped", "command", "target", "arena.jar");

    private static final String OTHER_DIRECTORY = "Name another directory for the demo: mvn -q -Pdemo -Ddemo.directory=DIR";

    @TempDir
    private Path directory;

    @Test
    void run_killsTheProcess_andReadsItsImage() throws Exception {
        assumeTrue(Files.exists(ARENA_JAR), "arena.jar is built by mvn verify, not by mvn test");
        CapturedOutput printed = new CapturedOutput();
        new PostMortem(printed.stream(), ARENA_JAR, directory, Duration.ofMillis(50)).run();
        assertThat(withoutWhatVaries(printed.toString())).isEqualTo("""

                POST-MORTEM

                A process writes to memory that is stored in files: InfiniteArena.ofShared("my-mapped-memory")
                in the directory DIRECTORY/arenakit-demo-N

                  It makes four allocations:
                    untouched  1 TiB, to which it does not write
                    filled     1 TiB, of which it fills bytes 1024 to 1279 with the value 2
                    greeting   16 bytes, to which it writes "Hello World"
                    counter    8 bytes, in which it counts until it is killed

                  Its last line of output is "reached N". It is killed by kill -9: exit code 137.

                It leaves an image: a file for each allocation, and a catalog that lists them.

                  $ arena ls my-mapped-memory
                  my-mapped-memory: 4 allocations of 2.0 TiB; 4 files, N on disk
                  died: process N, started DATE TIME, ended without closing it
                  jvm: JVM

                  NAME TYPE SIZE WRITTEN STATE MADE THREAD
                  untouched Page[8589934592] 1 TiB ...
                  filled Page[8589934592] 1 TiB ...
                  greeting Greeting 16 B ...
                  counter Counter 8 B ...

                These are the bytes of the image; the holes in the files are not read:

                  $ arena hexdump --in my-mapped-memory untouched filled greeting
                  ==> untouched <==
                  00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                  *
                  10000000000

                  ==> filled <==
                  00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                  *
                  00000400  02 02 02 02 02 02 02 02  02 02 02 02 02 02 02 02  |................|
                  *
                  00000500  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
                  *
                  10000000000

                  ==> greeting <==
                  00000000  48 65 6c 6c 6f 20 57 6f  72 6c 64 00 00 00 00 00  |Hello World.....|
                  00000010

                The dump of both terabytes took N s, including the start of the command.

                These are the values; the classes that wrote them are not needed:

                  $ arena show my-mapped-memory
                  ==> untouched: Page[8589934592] <==
                  [0..8589934591] zeros

                  ==> filled: Page[8589934592] <==
                  [0..7] zeros
                  [8] Page { bytes = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, ... 112 more] }
                  [9] Page { bytes = [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, ... 112 more] }
                  [10..8589934591] zeros

                  ==> greeting: Greeting <==
                  [0] Greeting { text = "Hello World" }

                  ==> counter: Counter <==
                  [0] Counter { count = N }

                  $ arena verify my-mapped-memory
                  my-mapped-memory: no problem in 4 allocations of 2.0 TiB; died

                The value of the counter is N: no store was lost.
                The files are removed. The command `arena` is java -jar ARENA_JAR.

                """);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void run_commandMissing_messageNamesTheBuildCommand() {
        Path missing = directory.resolve("arena.jar");
        assertThatExceptionOfType(CannotShowException.class)
                .isThrownBy(new PostMortem(new CapturedOutput().stream(), missing, directory, Duration.ZERO)::run)
                .withMessage("The arena command is not built: path=" + missing + "; run mvn package -DskipTests first");
    }

    @Test
    void run_temporaryDirectoryMissing_messageNamesTheProperty() throws IOException {
        Path missing = directory.resolve("missing");
        Path jar = Files.createFile(directory.resolve("arena.jar"));
        assertThatExceptionOfType(CannotShowException.class)
                .isThrownBy(new PostMortem(new CapturedOutput().stream(), jar, missing, Duration.ZERO)::run)
                .withMessageStartingWith("No directory can be created for the files: parent=" + missing)
                .withMessageEndingWith(OTHER_DIRECTORY);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void main_fileSystemRefusesTerabytes_printsTheReason_andLeavesNothing() throws Exception {
        Path jar = Files.createFile(directory.resolve("arena.jar"));
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        Process process = new ProcessBuilder("sh", "-c", "ulimit -f 1000000; exec \"$@\"", "sh", java(), "-cp",
                System.getProperty("java.class.path"), PostMortem.class.getName(), jar.toString(), temporary.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String errors = new String(process.getErrorStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(errors.lines()).hasSize(2)
                .first()
                .asString()
                .startsWith("File system refuses a file of this size: path=" + temporary);
        assertThat(errors.strip()).endsWith(OTHER_DIRECTORY);
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void doomedWriter_parentGone_endsByItself() throws Exception {
        Process process = new ProcessBuilder(java(), "-cp", System.getProperty("java.class.path"),
                DoomedWriter.class.getName(), directory.resolve("memory").toString()).start();
        try (BufferedReader output = process.inputReader(UTF_8)) {
            assertThat(output.readLine()).isEqualTo(DoomedProcess.READY);
            process.getOutputStream().close();
            assertThat(output.lines()).allMatch(line -> line.startsWith(DoomedProcess.REACHED));
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// Removes times, counts, and values that depend on the file system.
    private String withoutWhatVaries(String printed) {
        return printed.replace(directory.toString(), "DIRECTORY")
                .replaceAll("arenakit-demo-\\d+", "arenakit-demo-N")
                .replaceAll("\\d{1,3}(,\\d{3})+", "N")
                .replaceAll("\\d+\\.\\d\\d s", "N s")
                .replaceAll("files, .* on disk", "files, N on disk")
                .replaceAll("process \\d+, started [-\\d]+ [:\\d]+", "process N, started DATE TIME")
                .replaceAll("jvm: .*", "jvm: JVM")
                .replaceAll("count = \\d+", "count = N")
                .replace(ARENA_JAR.toString(), "ARENA_JAR")
                .lines()
                .map(PostMortemTest::withoutFileSystemColumns)
                .reduce("", (text, line) -> text + line + "\n");
    }

    private static String withoutFileSystemColumns(String line) {
        List<String> words = List.of(line.strip().split(" +"));
        boolean allocation = !line.startsWith("    ")
                && List.of("untouched", "filled", "greeting", "counter").contains(words.getFirst());
        if (line.startsWith("  NAME ")) {
            return "  " + String.join(" ", words);
        }
        return allocation ? "  " + String.join(" ", words.subList(0, 4)) + " ..." : line;
    }
}
