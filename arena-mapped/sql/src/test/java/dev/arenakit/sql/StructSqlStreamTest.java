package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Results whose rows the engine computes while they are read.
class StructSqlStreamTest {
    record Point(int x, int y) {}

    private static final RecordMapper<Point> POINTS = RecordMapper.of(MethodHandles.lookup(), Point.class);
    private static final int COUNT = 200_000;

    @TempDir
    private Path directory;
    private final StructSql sql = StructSql.open();

    @AfterEach
    void close() {
        sql.close();
    }

    private void addImage() throws IOException {
        Path base = directory.resolve("image");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment points = arena.allocate("points", POINTS.type(), COUNT);
            for (int i = 0; i < COUNT; i++) {
                POINTS.setAtIndex(points, i, new Point(i, 1));
            }
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            sql.image("main", image);
        }
    }

    @Test
    void stream_hasAllRowsInOrder() throws IOException {
        addImage();
        try (SqlResult result = sql.stream("select x from points")) {
            assertThat(result.columns()).containsExactly("x");
            assertThat(result.hasRows()).isTrue();
            for (long i = 0; i < COUNT; i++) {
                if (!result.next() || result.longValue(0) != i) {
                    throw new AssertionError("Row is missing or wrong: i=" + i);
                }
            }
            assertThat(result.next()).isFalse();
            assertThat(result.next()).isFalse();
        }
        sql.query("select 1").close();
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    @Test
    void stream_closedInTheMiddle_leavesNoScan() throws IOException {
        addImage();
        try (SqlResult result = sql.stream("from points")) {
            assertThat(result.next()).isTrue();
        }
        sql.query("select 1").close();
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    /// Reads the result to its end.
    private static void drain(SqlResult result) {
        while (result.next()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void next_engineThatFailsInTheMiddle_throws() {
        sql.query("set streaming_buffer_size = '64KB'").close();
        try (SqlResult result = sql
                .stream("select if(i = 300000, error('late')::varchar, 'a') from range(1000000) r(i)")) {
            assertThat(result.next()).isTrue();
            assertThatThrownBy(() -> drain(result)).isInstanceOf(SqlException.class).hasMessageContaining("late");
        }
    }

    @Test
    void query_whileAStreamIsOpen_endsOneOfThem() {
        try (SqlResult result = sql.stream("from range(1000000000000)")) {
            assertThat(result.next()).isTrue();
            // Some engines refuse the query. Others end the stream without an error.
            assertThatThrownBy(() -> {
                sql.query("select 1").close();
                drain(result);
            }).isInstanceOf(SqlException.class);
        }
    }

    @Test
    void stream_statementThatIsNoQuery_isExecutedWhole() {
        sql.stream("create table t as from range(10000)").close();
        try (SqlResult result = sql.stream("delete from t where range % 2 = 1")) {
            assertThat(result.hasRows()).isFalse();
        }
        try (SqlResult result = sql.query("select count(*) from t")) {
            assertThat(result.next()).isTrue();
            assertThat(result.longValue(0)).isEqualTo(5000);
        }
    }

    @Test
    void close_whileAStreamIsOpen_closesIt() {
        StructSql other = StructSql.open();
        SqlResult result = other.stream("from range(1000000000000)");
        assertThat(result.next()).isTrue();
        other.close();
        assertThatThrownBy(result::next).isInstanceOf(IllegalStateException.class);
    }
}
