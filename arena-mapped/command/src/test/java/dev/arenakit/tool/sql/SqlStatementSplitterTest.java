package dev.arenakit.tool.sql;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlStatementSplitterTest {
    @ParameterizedTest
    @ValueSource(strings = {"select ';'", "select ';;' || ';'", "select ';''; '", "select \";\"\";\"", "select $$;$$",
            "select $a$;$$;$a$", "select e'\\';'", "select 1 -- ;\n + 2", "select /* ; ' */ 1",
            "select /* /* ; */ ; /**/ */ 1", "select /*/ ; */ 1", "select $1",
            "select 'a\n;\nb'"})
    void split_semicolonWithinAText_isOneStatement(String statement) {
        assertThat(SqlStatementSplitter.split(statement)).containsExactly(statement);
        assertThat(SqlStatementSplitter.split(" " + statement + " ;\n;select 2;-- end")).containsExactly(statement,
                "select 2");
        assertThat(SqlStatementSplitter.isComplete(statement)).isFalse();
        assertThat(SqlStatementSplitter.isComplete(statement + "; ")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select 'a;", "select \"a;", "select /* a;", "select /* /* a; */", "select $$ a;",
            "select e'a\\';", "/* ;"})
    void isComplete_textIsOpen_isFalse(String statement) {
        assertThat(SqlStatementSplitter.isComplete(statement)).isFalse();
        assertThat(SqlStatementSplitter.isComplete("select 1; " + statement)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", ";", "-- a", "/* a; */", " ; ;-- b\n"})
    void split_nothing_isNoStatementAndComplete(String text) {
        assertThat(SqlStatementSplitter.split(text)).isEmpty();
        assertThat(SqlStatementSplitter.isComplete(text)).isTrue();
    }

    @Test
    void split_names_areNoTexts() {
        assertThat(SqlStatementSplitter.split("select name'a'; select a$b$c; select 1")).containsExactly(
                "select name'a'",
                "select a$b$c", "select 1");
    }
}
