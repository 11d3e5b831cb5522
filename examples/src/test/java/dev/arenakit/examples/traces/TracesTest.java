package dev.arenakit.examples.traces;

import dev.arenakit.examples.CapturedOutput;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceState;
import dev.arenakit.mapped.trace.TraceSummary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class TracesTest {
    private final CapturedOutput printed = new CapturedOutput();
    private final List<String> problems = new ArrayList<>();
    private final Path trace;

    TracesTest(@TempDir Path directory) {
        trace = directory.resolve("trace");
    }

    private TraceSummary summary() throws IOException {
        try (AllocationTrace opened = AllocationTrace.open(trace)) {
            assertThat(opened.state()).isEqualTo(TraceState.COMPLETE);
            TraceSummary summary = opened.summarize(problems::add);
            assertThat(problems).isEmpty();
            return summary;
        }
    }

    @Test
    void sqlite_rows_haveAnArenaEach() throws Throwable {
        assumeTrue(hasSqlite(), "libsqlite3.so.0 is not installed (Debian's package libsqlite3-0)");
        SqliteTrace.run(printed.stream(), trace, 100);
        assertThat(printed).hasToString("100 rows, 3379 characters\n");
        TraceSummary summary = summary();
        // Each row, each of the five statements, and opening the database.
        assertThat(summary.arenas()).isEqualTo(106);
        assertThat(summary.allocations()).isEqualTo(100 + 2 * 6);
        assertThat(summary.endByteSize()).isZero();
    }

    @SuppressWarnings("restricted") // This method looks for a library.
    private static boolean hasSqlite() {
        try (Arena arena = Arena.ofConfined()) {
            return SymbolLookup.libraryLookup("libsqlite3.so.0", arena).find("sqlite3_open").isPresent();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    @Test
    void handlers_requests_haveAnArenaAndAVirtualThreadEach() throws Exception {
        HandlersTrace.run(printed.stream(), trace, 50);
        TraceSummary summary = summary();
        assertThat(summary.arenas()).isEqualTo(50);
        assertThat(summary.virtualThreads()).isEqualTo(50);
        assertThat(summary.openArenas()).isZero();
        assertThat(summary.outlivingThreads()).isZero();
    }
}
