package dev.arenakit.tool.sql;

import dev.arenakit.tool.ToolRun;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of texts with several statements, which the parser of the engine divides.
class SqlStatementsTest {
    @SuppressWarnings("NullAway.Init")
    private static SqlSession session;

    @BeforeAll
    static void open() throws IOException {
        session = SqlSession.open(
                ToolRun.streams(OutputStream.nullOutputStream(), OutputStream.nullOutputStream()), Optional.empty());
    }

    @AfterAll
    static void close() {
        session.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select ';'", "select ';;' || ';'", "select ';''; '", "select \";\"\";\"", "select $$;$$",
            "select $a$;$$;$a$", "select e'\\';'", "select 1 -- ;\n + 2", "select /* ; ' */ 1",
            "select /* /* ; */ ; /**/ */ 1", "select /*/ ; */ 1", "select $1",
            "select 'a\n;\nb'"})
    void split_semicolonWithinAText_isOneStatement(String statement) {
        assertThat(session.split(statement)).containsExactly(statement);
        assertThat(session.split(" " + statement + " ;\n;select 2;-- end")).containsExactly(statement,
                "select 2");
        assertThat(session.isComplete(statement)).isFalse();
        assertThat(session.isComplete(statement + "; ")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select 'a;", "select \"a;", "select /* a;", "select /* /* a; */", "select $$ a;",
            "select e'a\\';", "/* ;"})
    void isComplete_textIsOpen_isFalse(String statement) {
        assertThat(session.isComplete(statement)).isFalse();
        assertThat(session.isComplete("select 1; " + statement)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", ";", "-- a", "/* a; */", " ; ;-- b\n"})
    void split_nothing_isNoStatementAndComplete(String text) {
        assertThat(session.split(text)).isEmpty();
        assertThat(session.isComplete(text)).isTrue();
    }

    @Test
    void split_names_areNoTexts() {
        assertThat(session.split("select name'a'; select a$b$c; select 1")).containsExactly(
                "select name'a'",
                "select a$b$c", "select 1");
    }
}
