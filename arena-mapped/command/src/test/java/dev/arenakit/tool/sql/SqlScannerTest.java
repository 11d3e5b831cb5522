package dev.arenakit.tool.sql;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class SqlScannerTest {
    @ParameterizedTest
    @ValueSource(strings = {"select ';'", "select ';;' || ';'", "select ';''; '", "select \";\"\";\"", "select $$;$$",
            "select $a$;$$;$a$", "select e'\\';'", "select 1 -- ;\n + 2", "select /* ; ' */ 1",
            "select /* /* ; */ ; /**/ */ 1", "select /*/ ; */ 1", "select $1",
            "select 'a\n;\nb'"})
    void split_semicolonWithinAText_isOneStatement(String statement) {
        assertThat(SqlScanner.split(statement)).containsExactly(statement);
        assertThat(SqlScanner.split(" " + statement + " ;\n;select 2;-- end")).containsExactly(statement, "select 2");
        assertThat(SqlScanner.isComplete(statement)).isFalse();
        assertThat(SqlScanner.isComplete(statement + "; ")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"select 'a;", "select \"a;", "select /* a;", "select /* /* a; */", "select $$ a;",
            "select e'a\\';", "/* ;"})
    void isComplete_textIsOpen_isFalse(String statement) {
        assertThat(SqlScanner.isComplete(statement)).isFalse();
        assertThat(SqlScanner.isComplete("select 1; " + statement)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n", ";", "-- a", "/* a; */", " ; ;-- b\n"})
    void split_nothing_isNoStatementAndComplete(String text) {
        assertThat(SqlScanner.split(text)).isEmpty();
        assertThat(SqlScanner.isComplete(text)).isTrue();
    }

    @Test
    void split_names_areNoTexts() {
        assertThat(SqlScanner.split("select name'a'; select a$b$c; select 1")).containsExactly("select name'a'",
                "select a$b$c", "select 1");
    }
}
