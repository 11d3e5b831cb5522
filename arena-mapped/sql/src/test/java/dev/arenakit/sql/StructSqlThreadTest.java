package dev.arenakit.sql;

import dev.arenakit.testing.ChildJvm;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The thread that calls the engine.
class StructSqlThreadTest {
    @Test
    @Tag("full")
    void query_thatNeedsMoreStackThanItsCallerHas_works() throws Exception {
        assertThat(ChildJvm.run(ChildJvm.granted().command(SqlStackChild.class))).contains("nested: 800\n",
                "virtual: 800\n", "deep: 200\n",
                "afterwards: 2000\n");
    }

    @Test
    void query_byAnInterruptedThread_works_andKeepsTheInterrupt() {
        try (StructSql sql = StructSql.open()) {
            Thread.currentThread().interrupt();
            try (SqlResult result = sql.query("select count(*) from range(100000)")) {
                assertThat(Thread.interrupted()).isTrue();
                assertThat(result.next()).isTrue();
                assertThat(result.longValue(0)).isEqualTo(100_000);
            }
        }
    }

    @Test
    void exception_ofTheEngine_hasTheFramesOfTheCaller() {
        try (StructSql sql = StructSql.open()) {
            assertThatThrownBy(() -> sql.query("selec")).isInstanceOf(SqlException.class)
                    .satisfies(e -> assertThat(Arrays.stream(e.getStackTrace()).map(StackTraceElement::getMethodName))
                            .contains("exception_ofTheEngine_hasTheFramesOfTheCaller"));
        }
    }

    @Test
    void close_endsTheThread() throws Exception {
        StructSql sql = StructSql.open();
        List<Thread> threads = Thread.getAllStackTraces()
                .keySet()
                .stream()
                .filter(thread -> thread.getName().equals("arenakit-sql"))
                .toList();
        assertThat(threads).isNotEmpty().allMatch(Thread::isDaemon);
        sql.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
