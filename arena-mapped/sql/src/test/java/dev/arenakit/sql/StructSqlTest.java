package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tables of segments, and their lifetime.
class StructSqlTest {
    record Trade(long id, int quantity, double price, @Length(8) String symbol) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    private final StructSql sql = StructSql.open();
    private final Arena arena = Arena.ofShared();

    @AfterEach
    void close() {
        sql.close();
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private MemorySegment trades(int count) {
        MemorySegment trades = TRADES.allocate(arena, count);
        for (int i = 0; i < count; i++) {
            TRADES.setAtIndex(trades, i, new Trade(i, i % 7, i / 2.0, "S" + i % 3));
        }
        return trades;
    }

    @Test
    void query_returnsTheStructs() {
        sql.table("trades", TRADES.type(), trades(3));
        try (SqlResult result = sql.query("select * from trades")) {
            assertThat(result.columns()).containsExactly("rowid", "id", "quantity", "price", "symbol");
            for (long i = 0; i < 3; i++) {
                assertThat(result.next()).isTrue();
                assertThat(result.longValue(0)).isEqualTo(i);
                assertThat(result.longValue(1)).isEqualTo(i);
                assertThat(result.longValue(2)).isEqualTo(i % 7);
                assertThat(result.doubleValue(3)).isEqualTo(i / 2.0);
                assertThat(result.text(4)).isEqualTo("S" + i);
            }
            assertThat(result.next()).isFalse();
            assertThat(result.next()).isFalse();
        }
    }

    @Test
    void query_groupsAndFilters() {
        sql.table("trades", TRADES.type(), trades(100_000));
        long[] sums = new long[3];
        for (int i = 0; i < 100_000; i++) {
            sums[i % 3] += i / 2.0 > 9.5 ? i % 7 : 0;
        }
        List<String> rows = new ArrayList<>();
        try (SqlResult result = sql.query(
                "select symbol, sum(quantity)::bigint from trades where price > ? group by 1 order by 1", 9.5)) {
            while (result.next()) {
                rows.add(result.text(0) + "=" + result.longValue(1));
            }
        }
        assertThat(rows).containsExactly("S0=" + sums[0], "S1=" + sums[1], "S2=" + sums[2]);
        assertThat(number("select count(*) from trades")).isEqualTo(100_000);
        assertThat(number("select max(rowid) from trades")).isEqualTo(99_999);
        assertThat(number("select count(*) from trades a join trades b on a.id = b.id + 1")).isEqualTo(99_999);
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    private long number(String query, Object... parameters) {
        try (SqlResult result = sql.query(query, parameters)) {
            assertThat(result.next()).isTrue();
            return result.longValue(0);
        }
    }

    @Test
    void query_afterTheArenaWasClosed_isAnSqlError() {
        sql.table("trades", TRADES.type(), trades(3));
        try (Arena other = Arena.ofShared()) {
            sql.table("others", TRADES.type(), TRADES.allocate(other, 2));
            arena.close();
            assertThatThrownBy(() -> sql.query("select sum(id) from trades")).isInstanceOf(SqlException.class)
                    .hasMessageContaining("table=trades")
                    .hasMessageContaining("closed");
            assertThat(number("select count(*) from others")).isEqualTo(2);
        }
    }

    @Test
    void query_ofAConfinedArena_isForItsOwnerOnly() throws Exception {
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment structs = TRADES.allocate(confined, 100_000);
            sql.table("mine", TRADES.type(), structs);
            assertThat(number("select count(id) from mine")).isEqualTo(100_000);
            List<Throwable> thrown = new ArrayList<>();
            Thread thread = new Thread(() -> {
                try {
                    sql.query("select sum(id) from mine").close();
                } catch (SqlException e) {
                    thrown.add(e);
                }
                try {
                    sql.table("other", TRADES.type(), structs);
                } catch (WrongThreadException e) {
                    thrown.add(e);
                }
            });
            thread.start();
            thread.join();
            assertThat(thrown).hasSize(2);
            assertThat(thrown.getFirst()).hasMessageContaining("confined to another thread");
        }
    }

    @Test
    void parameters_ofEachKind() {
        try (SqlResult result = sql.query("select ?, ?, ?, ?, ?, ?", 1, true, 2.5, "a\0b", Optional.empty(),
                new byte[]{1, 2})) {
            assertThat(result.next()).isTrue();
            assertThat(result.value(0)).contains(1L);
            assertThat(result.value(1)).contains(true);
            assertThat(result.value(2)).contains(2.5);
            assertThat(result.value(3)).contains("a\0b");
            assertThat(result.value(4)).isEmpty();
            assertThat(result.value(5).orElseThrow()).isEqualTo(new byte[]{1, 2});
        }
        assertThatThrownBy(() -> sql.query("select ?")).isInstanceOf(IllegalArgumentException.class);
    }

    enum Side {
        BUY, SELL
    }

    record Sum(String symbol, long total, double average, Integer missing, Side side) {}

    @Test
    @SuppressWarnings("NullAway") // A component of a record is null for NULL.
    void list_returnsARecordForEachRow() {
        sql.table("trades", TRADES.type(), trades(7));
        String query = "select symbol, sum(quantity) as total, avg(quantity) as AVERAGE, null as missing, 'BUY' as side"
                + " from trades group by 1 order by 1";
        try (SqlResult result = sql.query(query)) {
            assertThat(result.list(MethodHandles.lookup(), Sum.class)).containsExactly(
                    new Sum("S0", 9, 3, null, Side.BUY), new Sum("S1", 5, 2.5, null, Side.BUY),
                    new Sum("S2", 7, 3.5, null, Side.BUY));
        }
        try (SqlResult result = sql.query("select 'x' symbol, null total, 1 average, 1 missing, 'BUY' side")) {
            assertThatThrownBy(() -> result.list(MethodHandles.lookup(), Sum.class)).isInstanceOf(SqlException.class)
                    .hasMessageContaining("component=total");
        }
        try (SqlResult result = sql.query("select 1")) {
            assertThatThrownBy(() -> result.list(MethodHandles.lookup(), Sum.class))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void value_ofEachTypeOfTheEngine() {
        List<Object> expected = List.of(BigInteger.TWO.pow(100).negate(), new BigDecimal("1.50"), 1.5f,
                LocalDate.of(2026, 11, 22), LocalTime.of(1, 2, 3), LocalDateTime.of(2026, 11, 22, 1, 2, 3, 4000),
                UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"),
                UUID.fromString("ff112233-4455-6677-8899-aabbccddeeff"),
                BigInteger.TWO.pow(64).subtract(BigInteger.ONE),
                List.of(1L, 2L), Map.of("a", List.of(), "b", "x"), Instant.EPOCH);
        try (SqlResult result = sql.query("select -(2::hugeint ** 100)::hugeint, 1.50::decimal(20, 2), 1.5::float,"
                + " date '2026-11-22', time '01:02:03', timestamp '2026-11-22 01:02:03.000004',"
                + " '00112233-4455-6677-8899-aabbccddeeff'::uuid, 'ff112233-4455-6677-8899-aabbccddeeff'::uuid,"
                + " 18446744073709551615::ubigint, [1, 2], {'a': []::int[], 'b': 'x'}, to_timestamp(0)")) {
            assertThat(result.next()).isTrue();
            for (int i = 0; i < expected.size(); i++) {
                assertThat(result.value(i)).as(result.columns().get(i)).contains(expected.get(i));
            }
        }
        try (SqlResult result = sql.query("select interval 1 day, interval 1 day::varchar")) {
            assertThat(result.next()).isTrue();
            assertThatThrownBy(() -> result.value(0)).isInstanceOf(SqlException.class).hasMessageContaining("varchar");
            assertThat(result.text(1)).isEqualTo("1 day");
        }
    }

    @SuppressWarnings("MemberName") // The names differ in upper and lower case only.
    record Cases(int a, long rowid, int A) {}

    @Test
    void list_ofComponentsWhoseNamesDifferInCase_orAreTheNameOfTheIndex_returnsTheRecord() {
        RecordMapper<Cases> mapper = RecordMapper.of(MethodHandles.lookup(), Cases.class);
        MemorySegment cases = mapper.allocate(arena, 1);
        Cases expected = new Cases(1, 2, 3);
        mapper.setAtIndex(cases, 0, expected);
        sql.table("cases", mapper.type(), cases);
        try (SqlResult result = sql.query("select * from cases")) {
            assertThat(result.columns()).containsExactly("rowid_1", "a", "rowid", "A_1");
            assertThat(result.list(MethodHandles.lookup(), Cases.class)).containsExactly(expected);
        }
        try (SqlResult result = sql.query("select 3 as \"A\", 2 as ROWID, 1 as \"a\"")) {
            assertThat(result.list(MethodHandles.lookup(), Cases.class)).containsExactly(expected);
        }
        for (String query : List.of("select 1 as a, 2 as rowid", "select 1 as a, 2 as a, 3 as rowid, 4 as A_1",
                "select 1 as a, 2 as rowId, 3 as rowiD, 4 as A_1")) {
            try (SqlResult result = sql.query(query)) {
                assertThatThrownBy(() -> result.list(MethodHandles.lookup(), Cases.class)).as(query)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("name=");
            }
        }
    }

    @Test
    void copyToParquet_replacesTheFile_andNoOther(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("x.parquet");
        Path neighbour = Files.writeString(directory.resolve("tmp_x.parquet"), "mine");
        sql.copyToParquet("select 1 as n", file);
        sql.copyToParquet("select 2 as n", file);
        assertThatThrownBy(() -> sql.copyToParquet("select error('planted')", file)).isInstanceOf(SqlException.class);
        assertThat(number("select n from '" + file + "'")).isEqualTo(2);
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(neighbour).hasContent("mine");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, neighbour);
        }
    }

    @Test
    void copyToParquet_ofArraysThatAreNull_countsThemOnce(@TempDir Path directory) throws Exception {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                struct Packet {
                    uint8_t kind;
                    union @switch(kind) { int64_t n @case(0); int16_t raw[3] @case(1); int16_t grid[2][3] @case(2); } u;
                };
                """);
        MemorySegment packets = arena.allocate(type.byteSize() * 3, type.byteAlignment());
        for (byte i = 0; i < 3; i++) {
            packets.set(JAVA_BYTE, i * type.byteSize(), i);
        }
        sql.table("packets", type, packets);
        Path file = directory.resolve("x.parquet");
        // A NULL has one value in the file, and an array has a value for each element.
        Map<String, Long> values = Map.of("from packets", 3L + 5 + 8, "select u.raw, u.grid from packets", 5L + 8,
                "select u.raw::smallint[3] as \"a\"\"[3]\", {'[2]': u.grid::smallint[3][2]} from packets -- raw",
                5L + 8,
                "select b.a from (values (1), (2)) as a(i) left join (select ?::int as i, [1, 2]::int[2] as a) b using (i)",
                3L);
        values.forEach((query, expected) -> {
            sql.copyToParquet(query, file, query.contains("?") ? new Object[]{1} : new Object[0]);
            assertThat(number("select sum(num_values)::bigint from parquet_metadata('" + file + "') where "
                    + "path_in_schema not in ('rowid', 'kind')")).as(query).isEqualTo(expected);
            assertThat(texts("from (" + query.replace("?", "1") + "\n)")).isEqualTo(texts("from '" + file + "'"));
        });
    }

    @Test
    void copy_ofAUnionWithAnArray_countsNullsOnce(@TempDir Path directory) {
        StructType type = LayoutText.parse("""
                #pragma layout 2
                struct Packet { uint8_t kind; union @switch(kind) { int64_t n @case(0); struct { int16_t raw[3]; } s @case(1); } u; };
                """);
        sql.table("packets", type, arena.allocate(type.byteSize(), type.byteAlignment()));
        Path file = directory.resolve("x.parquet");
        sql.query("copy packets to '" + file + "'").close();
        assertThat(number("select num_values from parquet_metadata('" + file + "') where path_in_schema like '%raw%'"))
                .isOne();
    }

    private List<String> texts(String query) {
        List<String> texts = new ArrayList<>();
        try (SqlResult result = sql.query(query)) {
            texts.add(result.columns().toString());
            while (result.next()) {
                for (int i = 0; i < result.columns().size(); i++) {
                    texts.add(result.value(i).toString());
                }
            }
        }
        return texts;
    }

    @Test
    void drop_releasesTheArenaAndTheName() {
        for (int i = 0; i < 70; i++) {
            Arena other = Arena.ofShared();
            sql.table("t", TRADES.type(), TRADES.allocate(other, 2));
            assertThat(number("select count(*) from t")).isEqualTo(2);
            sql.drop(i % 2 == 0 ? "t" : "T");
            other.close();
        }
        assertThat(sql.database.callbacks().tableCount()).isZero();
        assertThatThrownBy(() -> sql.drop("t")).isInstanceOf(SqlException.class);
        sql.table("t", TRADES.type(), trades(3));
        assertThatThrownBy(() -> sql.table("T", TRADES.type(), trades(3))).isInstanceOf(SqlException.class);
        assertThat(sql.database.callbacks().tableCount()).isOne();
        arena.close();
        assertThatThrownBy(() -> number("select count(*) from t")).hasMessageContaining("table=t")
                .hasMessageContaining("closed");
        sql.drop("t");
        assertThat(sql.database.callbacks().tableCount()).isZero();
        assertThatThrownBy(() -> number("select count(*) from t")).isInstanceOf(SqlException.class);
    }

    record Closing(long n) {
        Closing {
            Thread thread = new Thread(CLOSED::close);
            thread.start();
            try {
                assertThat(thread.join(Duration.ofMinutes(1))).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static final StructSql CLOSED = StructSql.open();

    @Test
    void list_whoseConstructorWaitsForTheCloseOfTheEngine_ends() {
        SqlResult result = CLOSED.query("select 1 as n union all select 2");
        assertThatThrownBy(() -> result.list(MethodHandles.lookup(), Closing.class))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    @SuppressWarnings("NullAway") // A parameter is null for NULL.
    void value_withoutAnEquivalentInJava_isAnSqlError() {
        for (String value : List.of("'infinity'::date", "'-infinity'::date", "'infinity'::timestamp",
                "'-infinity'::timestamp", "'infinity'::timestamp_s", "'infinity'::timestamptz", "time '24:00:00'")) {
            try (SqlResult result = sql.query("select " + value)) {
                assertThat(result.next()).isTrue();
                assertThatThrownBy(() -> result.value(0)).as(value)
                        .isInstanceOf(SqlException.class)
                        .hasMessageContaining("varchar");
            }
        }
        try (SqlResult result = sql.query("select row(7, 8), ?::int", (Object) null)) {
            assertThat(result.next()).isTrue();
            assertThat(result.value(0)).contains(Map.of("1", 7L, "2", 8L));
            assertThat(result.isNull(1)).isTrue();
        }
    }
}
