package dev.arenakit.examples.debugging;

import dev.arenakit.diagnostics.CrashReport;
import dev.arenakit.examples.Page;
import dev.arenakit.examples.process.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Runs the programs of `docs/debugging.md`, and compares what they print.
@Tag("full")
class DebuggingPageTest {
    /// The log has the same stacks.
    private static final List<String> WITHOUT_LOG = List.of("-Djava.util.logging.config.file=none");
    private static final String PROGRAMS = "dev.arenakit.examples.debugging.";

    private final Page page = Page.read(Path.of("..", "docs", "debugging.md"));

    @TempDir
    private Path directory;

    DebuggingPageTest() throws IOException {}

    @Test
    void useAfterFree_inADebugArena_printsTheTranscript() throws Exception {
        assertThat(run(Map.of(), WITHOUT_LOG, "UseAfterFree debug"))
                .isEqualTo(transcript("$ java … UseAfterFree debug"));
    }

    @Test
    void overrun_betweenCanaries_isFound() throws Exception {
        assertThat(run(Map.of(), WITHOUT_LOG, "NativeOverrun canaries")).startsWith("8", "12")
                .anySatisfy(
                        line -> assertThat(line)
                                .contains("CorruptedBlockException: Memory behind a block was overwritten"));
    }

    @Test
    void crashReport_afterTheProcessHasDied_printsTheTranscript() throws Exception {
        List<String> printed = run(Map.of(), List.of("-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + directory + "/hs_err_pid%p.log"), "NativeOverrun guard " + directory);
        assertThat(printed).contains("8").doesNotContain("12");
        assertThat(normalized(CrashReport.of(only("hs_err_pid"), List.of())))
                .isEqualTo(transcript("$ java -cp arena-core.jar dev.arenakit.diagnostics.CrashReport"));
        assertThat(only("debug_blocks_pid")).hasFileName("debug_blocks_pid"
                + only("hs_err_pid").getFileName().toString().replaceAll("\\D", "") + "_1.txt");
    }

    @Test
    void crashReport_afterAnAccessToAClosedArena_namesTheClose() throws Exception {
        run(Map.of(), List.of("-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + directory + "/hs_err_pid%p.log"),
                "UseAfterFree closed " + directory);
        assertThat(normalized(CrashReport.of(only("hs_err_pid"), List.of())))
                .contains("The address is inside a block whose arena was closed: offset=0", "    closed thread=main");
    }

    @Test
    @Tag("slow")
    void debugMalloc_preloaded_aborts() throws Exception {
        Path library = Path.of("/usr/lib/x86_64-linux-gnu/libc_malloc_debug.so.0");
        assumeTrue(Files.exists(library), library + " is not installed");
        List<String> printed = run(Map.of("LD_PRELOAD", library.toString(), "MALLOC_CHECK_", "3"),
                List.of("-XX:+SuppressFatalErrorMessage"), "NativeOverrun malloc");
        // The byte that glibc expects behind a block depends on the address.
        assumeFalse(printed.contains("closed"), "the program has written the byte that glibc expects: one run in 256");
        assertThat(printed).containsExactly("8", "12", "free(): invalid pointer");
    }

    /// The JVM takes ten seconds under valgrind.
    @Test
    @Tag("slow")
    void valgrind_ofMallocArena_reportsTheBlock() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/valgrind")), "valgrind is not installed");
        String command = page.blocks("")
                .stream()
                .filter(block -> block.startsWith("$ valgrind"))
                .findFirst()
                .orElseThrow()
                .lines()
                .findFirst()
                .orElseThrow();
        List<String> options = new ArrayList<>(Arrays.asList(command.substring(2).split(" ", -1)));
        int java = options.indexOf("java");
        List<String> valgrind = options.subList(0, java);
        List<String> ofJvm = options.subList(java + 1, options.indexOf("…"));
        List<String> line = new ArrayList<>(valgrind);
        line.addAll(command(ofJvm, "NativeOverrun malloc"));
        String printed = output(new ProcessBuilder(line)).replaceAll("(?m)^==\\d+==", "").replaceAll("0x\\w+", "0x…");
        assertThat(printed).contains(" Invalid write of size 1\n    at 0x…: strcpy (in /")
                .contains("Address 0x… is 0 bytes after a block of size 27 alloc'd\n");
    }

    private List<String> transcript(String command) {
        return page.blocks("")
                .stream()
                .filter(block -> block.startsWith(command + "\n") || block.startsWith(command + " "))
                .findFirst()
                .orElseThrow()
                .lines()
                .skip(1)
                .toList();
    }

    private static List<String> command(List<String> options, String program) {
        List<String> command = JavaCommand.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dstdout.encoding=UTF-8",
                "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"));
        command.addAll(options);
        command.addAll(Arrays.asList((PROGRAMS + program).split(" ", -1)));
        return command;
    }

    private static List<String> run(Map<String, String> environment, List<String> options, String program)
            throws IOException {
        ProcessBuilder command = new ProcessBuilder(command(options, program));
        command.environment().putAll(environment);
        return normalized(output(command));
    }

    private static String output(ProcessBuilder command) throws IOException {
        Process process = command.redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    /// Without what differs from run to run, and without frames of the library.
    private static List<String> normalized(String output) {
        return output.lines()
                .filter(line -> !line.startsWith("\t... ")
                        && (!line.startsWith("\tat ") || line.contains(PROGRAMS)))
                .map(line -> line.replaceAll("0x[0-9a-f]+", "0x…")
                        .replaceAll("pid=\\d+", "pid=N")
                        .replaceAll("^ {4}C {2}\\[.*", "    C  […]")
                        .replaceAll("^( {4}j .*\\+)\\d+$", "$1…"))
                .toList();
    }

    private Path only(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
            assertThat(found).hasSize(1);
            return found.getFirst();
        }
    }
}
