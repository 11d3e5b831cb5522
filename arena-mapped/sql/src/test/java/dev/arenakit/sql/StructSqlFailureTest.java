package dev.arenakit.sql;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.sql.internal.ThrowingTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Values that cannot be converted, exceptions in callbacks, and arenas, engines and queries that are closed or
/// cancelled while a query runs.
class StructSqlFailureTest {
    private static final StructType NUMBERS = StructType.builder("Number").add("n", ValueType.of(long.class)).build();
    /// A query of many hours.
    private static final String ENDLESS = "select count(*) from numbers a, numbers b, numbers c where a.n + b.n = -c.n - 1";

    private final StructSql sql = StructSql.open();
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        sql.close();
        arena.close();
    }

    private MemorySegment numbers(long count) {
        MemorySegment numbers = arena.allocate(JAVA_LONG, count);
        for (long i = 0; i < count; i++) {
            numbers.setAtIndex(JAVA_LONG, i, i);
        }
        return numbers;
    }

    private long number(String query) {
        try (SqlResult result = sql.query(query)) {
            assertThat(result.next()).isTrue();
            return result.longValue(0);
        }
    }

    @Test
    void text_thatIsMalformed_isAnErrorThatNamesTheStruct() {
        StructType type = StructType.builder("Name")
                .add("id", ValueType.of(byte.class))
                .add("text", StringType.of(20, StandardCharsets.UTF_8))
                .build();
        MemorySegment names = arena.allocate(21 * 10_000);
        names.set(JAVA_BYTE, 21 * 7777 + 1, (byte) 'a');
        names.set(JAVA_BYTE, 21 * 7777 + 2, (byte) 0xc3);
        sql.table("names", type, names);
        assertThat(number("select count(id) from names")).isEqualTo(10_000);
        assertThatThrownBy(() -> sql.query("select max(text) from names")).isInstanceOf(SqlException.class)
                .hasMessageContaining("table=names, rowid=7777")
                .hasMessageContaining("UTF-8: bytes=61c3");
        assertThat(number("select count(id) from names")).isEqualTo(10_000);
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    @Test
    void enum_withAnUnknownValue_isAnErrorThatNamesTheStruct() {
        EnumType side = new EnumType("Side", ValueType.of(byte.class),
                List.of(new EnumType.Constant("BUY", 0), new EnumType.Constant("SELL", 1)));
        MemorySegment sides = arena.allocate(3);
        sides.set(JAVA_BYTE, 2, (byte) 9);
        sql.table("sides", StructType.builder("S").add("side", side).build(), sides);
        assertThatThrownBy(() -> sql.query("select side from sides")).isInstanceOf(SqlException.class)
                .hasMessageContaining("rowid=2")
                .hasMessageContaining("enum=Side, value=9");
        assertThat(number("select count(*) from sides where rowid < 2")).isEqualTo(2);
    }

    @Test
    void list_ofMoreElementsThanTheLimit_isAnErrorThatNamesTheStruct(@TempDir Path directory) throws IOException {
        StructType type = StructType.builder("Bytes")
                .add("bytes", ArrayType.of(ValueType.of(byte.class), 1L << 32))
                .build();
        try (FileChannel hole = FileChannel.open(directory.resolve("hole"), READ, WRITE, CREATE)) {
            sql.table("bytes", type, hole.map(FileChannel.MapMode.READ_WRITE, 0, type.byteSize(), arena));
        }
        assertThatThrownBy(() -> sql.query("select len(bytes) from bytes")).isInstanceOf(SqlException.class)
                .hasMessageContaining("rowid=0")
                .hasMessageContaining("too many elements: length=4294967296, limit=134217728");
    }

    @Test
    void value_ofATypeThatIsNotRead_isAnErrorThatNamesTheType() {
        for (String value : List.of("INTERVAL '1 day'", "MAP {1: 2}", "'12:00:00+01'::TIMETZ", "'101'::BIT")) {
            try (SqlResult result = sql.query("select " + value)) {
                assertThat(result.next()).isTrue();
                assertThatThrownBy(() -> result.value(0)).isInstanceOf(SqlException.class)
                        .hasMessageMatching("Values of this type are not read: type=(INTERVAL|MAP|TIME_TZ|BIT);.*");
            }
        }
    }

    @Test
    void text_withAnUnpairedSurrogate_isRefused() {
        assertThatThrownBy(() -> sql.query("select '\ud83d'")).isInstanceOf(SqlException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> sql.query("select ?", "a\udc00")).isInstanceOf(SqlException.class)
                .hasMessageContaining("surrogate");
        assertThatThrownBy(() -> sql.table("\ud83d", NUMBERS, arena.allocate(8))).isInstanceOf(SqlException.class);
        try (SqlResult result = sql.query("select ?", "\ud83d\ude00")) {
            assertThat(result.next()).isTrue();
            assertThat(result.text(0)).isEqualTo("\ud83d\ude00");
        }
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway") // A callback with null throws nothing.
    void exception_inACallback_isAnSqlError(ThrowingTable.Place place) {
        for (Throwable thrown : List.of(new IllegalStateException("planted"), new OutOfMemoryError("planted"),
                new StackOverflowError("planted"), new AssertionError("planted\0with a NUL"))) {
            AtomicReference<Throwable> planted = new AtomicReference<>();
            ThrowingTable table = new ThrowingTable(NUMBERS, place, planted);
            String query = "select count(n) from arenakit_scan(" + sql.database.callbacks().add(table) + ")";
            assertThat(number(query)).isZero();
            planted.set(thrown);
            assertThatThrownBy(() -> sql.query(query)).isInstanceOf(SqlException.class).hasMessageContaining("planted");
            planted.set(null);
            assertThat(number(query)).isZero();
        }
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    @Test
    void function_withoutSuchATable_isAnSqlError() {
        assertThatThrownBy(() -> sql.query("select * from arenakit_scan(99)")).isInstanceOf(SqlException.class)
                .hasMessageContaining("number=99");
        assertThatThrownBy(() -> sql.query("select * from arenakit_scan(-1)")).isInstanceOf(SqlException.class);
        assertThatThrownBy(() -> sql.query("select * from arenakit_scan(null)")).isInstanceOf(SqlException.class);
        assertThatThrownBy(() -> sql.query("selec")).isInstanceOf(SqlException.class).hasMessageContaining("selec");
        assertThatThrownBy(() -> sql.query("")).isInstanceOf(SqlException.class);
    }

    @Test
    void close_ofAnArenaOrOfTheEngine_whileAQueryRuns_isRefused() throws Exception {
        sql.table("numbers", NUMBERS, numbers(100_000));
        try (Running query = new Running(ENDLESS)) {
            assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(sql::close).isInstanceOf(IllegalStateException.class);
            sql.cancel();
            query.thread.join();
            assertThat(query.thrown.get()).isInstanceOf(SqlException.class);
        }
        assertThat(number("select count(*) from numbers")).isEqualTo(100_000);
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    @Test
    void query_ofManyArenas_holdsAllOfThem() throws Exception {
        List<Arena> arenas = Stream.generate(Arena::ofShared).limit(9).toList();
        for (int i = 0; i < arenas.size(); i++) {
            sql.table("t" + i, NUMBERS, arenas.get(i).allocate(80));
        }
        sql.table("numbers", NUMBERS, numbers(100_000));
        try (Running _ = new Running(ENDLESS)) {
            assertThat(arenas).allSatisfy(
                    held -> assertThatThrownBy(held::close).isInstanceOf(IllegalStateException.class));
        }
        for (int i = 0; i < arenas.size(); i++) {
            arenas.get(i).close();
            int closed = i;
            assertThatThrownBy(() -> sql.query("select count(n) from t" + closed)).isInstanceOf(SqlException.class);
            assertThat(number("select count(n) from numbers")).isEqualTo(100_000);
        }
    }

    @Test
    void table_ofTooManyArenas_isRefused() {
        List<Arena> arenas = Stream.generate(Arena::ofShared).limit(65).toList();
        for (int i = 0; i < 64; i++) {
            sql.table("t" + i, NUMBERS, arenas.get(i).allocate(80));
        }
        assertThatThrownBy(() -> sql.table("t64", NUMBERS, arenas.get(64).allocate(80)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limit=64");
        assertThat(number("select count(n) from t63")).isEqualTo(10);
        arenas.getFirst().close();
        sql.table("t64", NUMBERS, arenas.get(64).allocate(80));
        assertThat(number("select count(n) from t64")).isEqualTo(10);
        arenas.stream().skip(1).forEach(Arena::close);
    }

    @Test
    void close_endsResults_andIsIdempotent() {
        SqlResult result = sql.query("select 1");
        assertThat(result.next()).isTrue();
        sql.close();
        sql.close();
        result.close();
        assertThatThrownBy(() -> result.longValue(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(result::next).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sql.query("select 1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> sql.table("t", NUMBERS, arena.allocate(8)))
                .isInstanceOf(IllegalStateException.class);
        sql.cancel();
    }

    @Test
    void table_ofWhatCannotBeOne_isRefused() {
        assertThatThrownBy(() -> sql.table("t", NUMBERS, MemorySegment.ofArray(new long[1])))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> sql.table("t", StructType.builder("E").build(), arena.allocate(8)))
                .isInstanceOf(IllegalArgumentException.class);
        sql.table("t", NUMBERS, arena.allocate(8));
        assertThatThrownBy(() -> sql.table("T", NUMBERS, arena.allocate(8))).isInstanceOf(SqlException.class);
        assertThat(number("select count(*) from t")).isEqualTo(1);
    }

    /// A query in a thread of its own, which is cancelled at the end.
    private final class Running implements AutoCloseable {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread thread;

        Running(String query) throws InterruptedException {
            CountDownLatch started = new CountDownLatch(1);
            thread = new Thread(() -> {
                started.countDown();
                try {
                    sql.query(query).close();
                } catch (Throwable t) {
                    thrown.set(t);
                }
            });
            thread.start();
            started.await();
            while (sql.database.callbacks().objectCount() == 0) {
                Thread.sleep(1);
            }
        }

        @Override
        public void close() {
            try {
                while (thread.isAlive()) {
                    sql.cancel();
                    thread.join(10);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
