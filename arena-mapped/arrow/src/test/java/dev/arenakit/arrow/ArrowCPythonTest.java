package dev.arenakit.arrow;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/// Clients in Python, with a JVM in the same process, read exports and release them.
@Tag("full")
class ArrowCPythonTest {
    private static final Path SCRIPT = Path.of("src/test/python/read_exports.py").toAbsolutePath();

    @TempDir
    private Path directory;

    @Test
    void exports_areReadByClientsInPython() throws IOException, InterruptedException {
        assumeTrue(PythonRun.of(directory, "-c", "import jpype, pyarrow, polars, duckdb").exitCode() == 0,
                () -> PythonRun.PYTHON + " has no jpype, pyarrow, polars or duckdb: the test is skipped");
        PythonRun run = PythonRun.of(directory, SCRIPT.toString(), System.getProperty("java.home"),
                System.getProperty("java.class.path"));
        assertThat(run.output()).isEqualTo("""
                #pragma layout 2
                0 A aaa False 0 [] [97, 97] {'a': 97, 'b': 97} {'i': None, 'c': None}
                1000 B bbb True 1 [98] [98, 98] {'a': 98, 'b': 98} {'i': 98, 'c': None}
                2000 A ccc False 2 [99, 99] [99, 99] {'a': 99, 'b': 99} {'i': None, 'c': 'c'}
                3000 B ddd True 0 [] [100, 100] {'a': 100, 'b': 100} {'i': None, 'c': None}
                4000 A eee False 1 [101] [101, 101] {'a': 101, 'b': 101} {'i': 101, 'c': None}
                5 3 True
                ['A', 'B', 'A', 'B', 'A']
                Value cannot be converted: row=3, field=kind, reason=not a constant of the enum: enum=Kind, value=9
                int64 1099511627779 False
                True
                [('A', 6000), ('B', 4000)]
                ['aaa', 'bbb', 'ccc', 'ddd', 'eee']
                0 0
                """);
        assertThat(run.exitCode()).isZero();
    }
}
