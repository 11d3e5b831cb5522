package dev.arenakit.tool.sql;

import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import dev.arenakit.tool.TestImage;
import dev.arenakit.tool.ToolRun;
import dev.arenakit.tool.console.Streams;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests of statements and commands that follow each other in one session, as at the prompt.
class SqlRunnerTest extends InSharedMemory {
    private static final String ENDLESS = "select count(*) from range(1000000000) a, range(1000000000) b where a.range"
            + " + b.range = 7";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final SqlSession session;
    private final SqlRunner runner;

    SqlRunnerTest() throws IOException {
        Streams streams = ToolRun.streams(out, err);
        session = SqlSession.open(streams, Optional.empty());
        runner = new SqlRunner(session, SqlForm.csv(streams));
    }

    @AfterEach
    void close() {
        session.close();
    }

    private void addImage(String... names) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (String name : names) {
                arena.names().allocate(name, TestImage.TRADE, 1).set(JAVA_BYTE, 0, (byte) 1);
            }
        }
        session.add(SqlSession.MAIN, base, false);
    }

    /// Starts a thread that interrupts the session until the field `ended` is set.
    private Thread cancelOften() {
        return Thread.ofPlatform().start(() -> {
            while (!ended.get()) {
                session.cancel();
            }
        });
    }

    @Test
    void execute_interruptedCommand_goesOnWithTheNext() throws IOException, InterruptedException {
        addImage("trades");
        Thread user = cancelOften();
        while (!session.isCancelled()) {
            Thread.onSpinWait();
        }
        assertThat(runner.execute("describe trades", true)).isFalse();
        ended.set(true);
        user.join();
        session.begin();
        assertThat(runner.execute("describe trades", true)).isTrue();
        assertThat(err.toString(UTF_8)).isEqualTo("arena: interrupted\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"from range(1000000000000)",
            ENDLESS})
    void execute_interruptedQuery_goesOnWithTheNext(String query) throws IOException, InterruptedException {
        addImage("trades");
        Thread user = cancelOften();
        assertThat(runner.execute(query, true)).isFalse();
        ended.set(true);
        user.join();
        session.begin();
        out.reset();
        assertThat(runner.execute("select count(*) as n from trades", false)).isTrue();
        assertThat(out.toString(UTF_8)).isEqualTo("n\n1\n");
        assertThat(err.toString(UTF_8)).isEqualTo("arena: interrupted\n");
    }

    @Test
    void tables_thatNoStatementHasNamed_areNotAskedOfTheEngine() throws IOException {
        String views = "select view_name from duckdb_views() where not internal";
        runner.execute("create macro views() as table " + views, false);
        addImage("trades", "prices");
        runner.execute("create table own (a int); select count(*) as n from prices", false);
        out.reset();
        runner.execute(".tables", false);
        assertThat(out.toString(UTF_8)).isEqualTo("trades\nprices\n");
        assertThat(session.words()).contains("trades", "prices", "symbol").doesNotContain("own", "select");
        out.reset();
        runner.execute("from views()", false);
        assertThat(out.toString(UTF_8)).isEqualTo("view_name\nprices\n");
    }

    @Test
    void execute_statementWithANul_isReported() throws IOException {
        addImage("trades");
        assertThat(runner.execute("select 'a\0b'", true)).isFalse();
        assertThat(runner.execute("from \"a\0b\"", true)).isFalse();
        assertThat(err.toString(UTF_8).lines()).allMatch(line -> line.startsWith("arena: "));
    }

    @Test
    void prompt_linesUntilTheEnd_areExecutedAndKept() throws IOException {
        addImage("trades", "order");
        Path history = base.resolveSibling("history");
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        String typed = "select 40 +\r 2 as n;\rfrom nothing;\r.tables\r.help\rquit\rselect 43 as n;\r";
        try (Terminal terminal = new DumbTerminal(new ByteArrayInputStream(typed.getBytes(UTF_8)), screen)) {
            new SqlPrompt(session, runner).run(terminal, history);
        }
        assertThat(out.toString(UTF_8)).startsWith("DuckDB v")
                .contains("tables trades, \"order\"; .tables lists the tables")
                .containsPattern("\nn\n42\n1 row in [0-9.]+ s\ntrades\n\"order\"\n$");
        assertThat(err.toString(UTF_8)).contains("Table with name nothing does not exist", "at or near \".\"");
        assertThat(screen.toString(UTF_8)).contains("sql> ");
        assertThat(Files.readString(history.resolve("sql-history"))).contains("select 40 +\\n 2 as n;");
    }
}
