package dev.arenakit.tool.sql;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.InstalledPrograms;
import dev.arenakit.tool.TestImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Tests of the prompt of the packaged `arena sql`. Python makes its terminal, and the library is in DuckDB's jar.
@Tag("full")
class SqlPromptIT extends InSharedMemory {
    /// For each pair of texts, waits until the first text is printed and types the second text. Then waits for the end.
    private static final String DRIVER = """
            import fcntl, os, pty, select, signal, struct, sys, termios, time
            steps, command = eval(sys.argv[1]), sys.argv[2:]
            pid, fd = pty.fork()
            if pid == 0:
                # A shell that runs the tests in the background makes them ignore it.
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                os.execvp(command[0], command)
            fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack('HHHH', 24, 80, 0, 0))
            printed, seen = b'', 0
            def read():
                global printed
                if not select.select([fd], [], [], 60)[0]:
                    raise TimeoutError(printed)
                try:
                    more = os.read(fd, 65536)
                except OSError:
                    more = b''
                printed += more
                return more
            for text, typed in steps:
                while text not in printed[seen:]:
                    if not read():
                        raise EOFError(printed)
                seen = printed.index(text, seen) + len(text)
                os.write(fd, typed() if callable(typed) else typed)
            while read():
                pass
            sys.stdout.buffer.write(printed)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """;
    private static final String ENDLESS = "select count(*) from range(1000000000) a, range(1000000000) b where a.range"
            + " + b.range = 7";

    /// The output without escape sequences that only edit a line.
    private String type(int exitCode, List<String> steps, String... args) throws IOException, InterruptedException {
        InstalledPrograms.assume("python3", "apt-get install python3");
        assumeTrue(InstalledPrograms.exitCode(directory, directory.resolve("output"), "python3", "-c",
                "import pty; pty.openpty()") == 0, "the system has no terminal to give");
        Path output = directory.resolve("output");
        List<String> command = Stream.concat(
                Stream.of("python3", "-c", DRIVER, "[" + String.join(", ", steps) + "]",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
                        System.getProperty("arena.jar"), "sql",
                        "--duckdb", library()),
                Stream.of(args)).toList();
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("TERM", "xterm");
        builder.environment().put("XDG_STATE_HOME", directory.resolve("state").toString());
        builder.environment().remove("NO_COLOR");
        builder.environment().remove("COLUMNS");
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        String printed = Files.readString(output, UTF_8)
                .replace("\r", "")
                .replaceAll("\\x1b\\[[0-9;?]*[A-Za-z]|\\x1b[=>]", "");
        assertThat(process.exitValue()).as(printed).isEqualTo(exitCode);
        return printed;
    }

    private static String library() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(path -> path.contains("duckdb_jdbc"))
                .findFirst()
                .orElseThrow();
    }

    private static String step(String seen, String typed) {
        return "(b" + literal(seen) + ", b" + literal(typed) + ")";
    }

    /// A step that waits until the command has made a file, and then types Ctrl-C.
    private String interruptWhenAFileExists(String name) {
        return "(b'', lambda: ([time.sleep(0.02) for _ in iter(lambda: any('" + name
                + "' in file for file in os.listdir('"
                + directory + "')), True)], b'\\x03')[1])";
    }

    private static String literal(String text) {
        return '"' + text.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\r", "\\r")
                .replace("\t", "\\t")
                .replace("\003", "\\x03")
                .replace("\004", "\\x04") + '"';
    }

    @Test
    void prompt_interruptedQuery_goesOnWithTheNext() throws IOException, InterruptedException {
        TestImage.closed(base);
        String printed = type(0,
                List.of(step("sql> ", "select id\r"), step("...> ", "from trades where rowid = 998;\r"),
                        step("1 row in", ""),
                        step("sql> ", "copy (" + ENDLESS + ") to '" + directory + "/endless.csv';\r"),
                        interruptWhenAFileExists("endless"), step("arena: interrupted", ""),
                        step("sql> ", "select 40 + 2;\r"), step("1 row in", ""),
                        step("sql> ", "half a statement\003"), step("sql> ", "select 6 * 7;\r"), step("1 row in", ""),
                        step("sql> ", "\004")),
                base.toString());
        assertThat(printed).startsWith("DuckDB v")
                .contains("tables trades, prices")
                .contains("id\n 3\n1 row in ", "(40 + 2)\n", "(6 * 7)\n");
        Path history = directory.resolve("state/arenakit/sql-history");
        assertThat(Files.readString(history)).contains("select id\\nfrom trades where rowid = 998;");
        assertThat(Files.getPosixFilePermissions(history)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(Files.getPosixFilePermissions(history.getParent()))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void prompt_tab_completesTablesAndColumns() throws IOException, InterruptedException {
        TestImage.closed(base);
        Path noon = directory.resolve("noon");
        try (InfiniteArena arena = InfiniteArena.ofShared(noon)) {
            arena.names().allocate("lunch", TestImage.TRADE, 1);
        }
        String printed = type(0, List.of(step("sql> ", "select max(symb\t) from trad\tt where t.row\t = 999;\r"),
                step("1 row in", ""), step("sql> ", "from noo\tlun\t;\r"), step("0 rows in", ""),
                step("sql> ", "describe noon.lu\t;\r"), step("symbol       VARCHAR", ""), step("sql> ", ".tables\r"),
                step("noon.lunch", ""), step("sql> ", "\004")),
                base.toString(), "--as", "noon=" + noon);
        assertThat(printed).contains("max(symbol)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--csv", "--json"})
    void stream_interrupted_endsAndLeavesNoFile(String form) throws IOException, InterruptedException {
        TestImage.closed(base);
        String printed = type(130, List.of(step("10000", "\003")), base.toString(), form,
                "from range(1000000000000)");
        assertThat(printed).contains("10000").doesNotContain("arena: ", "\"end\"");
        assertThat(names()).allMatch(name -> name.startsWith("memory") || name.equals("output"));
    }
}
