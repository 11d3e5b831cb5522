package dev.arenakit.sql;

import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.ImageLongMap;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.invoke.MethodHandles.lookup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tables of images and of their structures: rows do not depend on holes, and damage does not end the process.
class StructSqlImageTest {
    record Trade(long id, int quantity, double price, @Length(16) String symbol) {}

    record Order(@Length(8) String symbol, int quantity) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(lookup(), Trade.class);

    private static final RecordMapper<Order> ORDERS = RecordMapper.of(lookup(), Order.class);
    private static final long BOOT_OFFSET = 72;

    private final Path directory;
    private final StructSql sql = StructSql.open();
    private final Path base;

    StructSqlImageTest(@TempDir Path directory) {
        this.directory = directory;
        this.base = directory.resolve("image");
    }

    @AfterEach
    void close() {
        sql.close();
    }

    private List<Long> numbers(String query) {
        return column(query, SqlResult::longValue);
    }

    private List<String> texts(String query) {
        return column(query, SqlResult::text);
    }

    private <T> List<T> column(String query, BiFunction<SqlResult, Integer, T> value) {
        List<T> values = new ArrayList<>();
        try (SqlResult result = sql.query(query)) {
            while (result.next()) {
                values.add(value.apply(result, 0));
            }
        }
        return values;
    }

    private SqlImage register(String schema) throws IOException {
        return register(base, schema);
    }

    private SqlImage register(Path base, String schema) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return sql.image(schema, image);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void image_hasEveryStructThatIsNotZero_whereverTheHolesAre(boolean chunked) throws IOException {
        int count = 1_000_000;
        TreeMap<Long, Trade> written = new TreeMap<>();
        Random random = new Random(1);
        try (InfiniteArena arena = chunked
                ? InfiniteArena.builder(base).chunked(1L << 30).build()
                : InfiniteArena.ofShared(base)) {
            MemorySegment _ = arena.names().allocate("other", TRADES.type(), 3);
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), count);
            for (int i = 0; i < 300; i++) {
                int start = random.nextInt(count - 200);
                int length = 1 + random.nextInt(200);
                boolean zeros = random.nextInt(4) == 0;
                for (long row = start; row < start + length; row++) {
                    if (zeros) {
                        trades.asSlice(row * TRADES.byteSize(), TRADES.byteSize()).fill((byte) 0);
                        written.remove(row);
                    } else {
                        Trade trade = new Trade(random.nextInt(10) == 0 ? 0 : row, (int) row, 0, "a symbol " + row % 9);
                        TRADES.setAtIndex(trades, row, trade);
                        written.put(row, trade);
                    }
                }
            }
            TRADES.setAtIndex(trades, count - 1, new Trade(0, 1, 0, ""));
            written.put(count - 1L, new Trade(0, 1, 0, ""));
        }
        SqlImage image = register("desk");
        assertThat(image.tables()).containsExactly("other", "trades");
        assertThat(numbers("select count(*) from desk.other")).containsExactly(0L);
        assertThat(numbers("select rowid from desk.trades")).isEqualTo(List.copyOf(written.keySet()));
        assertThat(numbers("select quantity from desk.trades order by rowid"))
                .isEqualTo(written.values().stream().map(trade -> (long) trade.quantity()).toList());
        assertThat(numbers("select count(*) from desk.trades group by symbol order by 1")).isEqualTo(written.values()
                .stream()
                .collect(Collectors.groupingBy(Trade::symbol, Collectors.counting()))
                .values()
                .stream()
                .sorted()
                .toList());
        image.withZeroRows();
        assertThat(numbers("select count(*) from desk.trades")).containsExactly((long) count);
        assertThat(numbers("select sum(rowid) from desk.trades")).containsExactly(count * (count - 1L) / 2);
        assertThat(numbers("select sum(id) from desk.trades"))
                .containsExactly(written.values().stream().mapToLong(Trade::id).sum());
        assertThat(numbers("select count(*) from desk.other")).containsExactly(3L);
    }

    @Test
    void names_thatAreNoIdentifiersOrDifferInCase_areTables() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (String name : List.of("trades", "Trades", "order by \"x\"", "ünï")) {
                TRADES.setAtIndex(arena.names().allocate(name, TRADES.type(), 10), 3, new Trade(1, 2, 3, "A"));
            }
            MemorySegment _ = arena.allocate(100);
        }
        SqlImage image = register("my desk");
        assertThat(image.tables()).containsExactly("trades_1", "Trades_2", "order by \"x\"", "ünï");
        assertThat(image.leftOut()).isEmpty();
        for (String table : image.tables()) {
            assertThat(numbers("select rowid from \"my desk\"." + SqlIdentifiers.quote(table))).containsExactly(3L);
        }
        assertThatThrownBy(() -> register("my desk")).isInstanceOf(SqlException.class);
        assertThat(register("MAIN").tables()).hasSize(4);
        assertThat(numbers("select a.quantity from trades_1 a join \"my desk\".trades_2 b using (id)"))
                .containsExactly(2L);
    }

    @Test
    void names_thatDifferInCase_haveSuffixes() throws IOException {
        List<String> names = List.of("Trades", "trades", "trades_1", "\u00c9", "\u00e9", "sqlite_master",
                "duckdb_types");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            for (int i = 0; i < names.size(); i++) {
                TRADES.setAtIndex(arena.names().allocate(names.get(i), TRADES.type(), 1), 0,
                        new Trade(i + 1, 2, 3, "A"));
            }
        }
        List<String> tables = register("main").tables();
        assertThat(tables).containsExactly("Trades_2", "trades_3", "trades_1", "\u00c9", "\u00e9", "sqlite_master",
                "duckdb_types");
        for (String begin : List.of("select 1", "begin")) {
            sql.query(begin).close();
            for (int i = 0; i < tables.size(); i++) {
                assertThat(numbers("select id from " + tables.get(i))).as(tables.get(i)).containsExactly(i + 1L);
                assertThat(numbers("select id from main.\"" + tables.get(i) + '"')).containsExactly(i + 1L);
            }
        }
        sql.query("rollback").close();
        assertThatThrownBy(() -> numbers("select id from trades")).isInstanceOf(SqlException.class)
                .hasMessageContaining("does not exist")
                .hasMessageContaining("rades_");
        assertThat(numbers("select count(*) from (show tables)")).containsExactly(7L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "temp", "system", "pg_catalog", "information_schema", "Temp"})
    void image_withANameOfTheEngine_isRefused(String name) throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment _ = arena.names().allocate("trades", TRADES.type(), 10);
        }
        assertThatThrownBy(() -> register(name)).isInstanceOf(SqlException.class)
                .hasMessageContaining("choose another: name=" + name);
        assertThat(register("desk").tables()).containsExactly("trades");
    }

    @Test
    void image_thatIsDamaged_endsEarlyOrIsAnSqlError() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), 10_000);
            for (int i = 0; i < 10_000; i++) {
                TRADES.setAtIndex(trades, i, new Trade(i, 1, 1, "A"));
            }
        }
        register("desk");
        Path file = directory.resolve("image-0");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(TRADES.byteSize() * 5000 + 1);
        }
        assertThat(numbers("select count(id) from desk.trades")).containsExactly(5000L);
        try (RandomAccessFile damaged = new RandomAccessFile(file.toFile(), "rw")) {
            damaged.seek(TRADES.byteSize() * 77 + TRADES.type().member("symbol").orElseThrow().byteOffset());
            damaged.write(0xff);
        }
        assertThatThrownBy(() -> numbers("select count(symbol) from desk.trades where symbol <> ''"))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining("table=desk.trades, rowid=77");
        Files.delete(file);
        assertThatThrownBy(() -> numbers("select count(id) from desk.trades")).isInstanceOf(SqlException.class)
                .hasMessageContaining("image-0");
        assertThat(numbers("select 1")).containsExactly(1L);
        assertThat(sql.database.callbacks().objectCount()).isZero();
    }

    @Test
    void example_readsMemoryAndImage_andWritesParquet() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", StructSqlExample.TRADES.type(), 100);
            StructSqlExample.TRADES.setAtIndex(trades, 7,
                    new StructSqlExample.Trade(42, 3, 9.75, "ARNA"));
            StructSqlExample.TRADES.setAtIndex(trades, 8, new StructSqlExample.Trade(43, 4, 9.5, "ARNA"));
            Path file = directory.resolve("it's.parquet");
            StringBuilder out = new StringBuilder();
            try (ArenaImage image = ArenaImage.open(base)) {
                StructSqlExample.print(trades, image, file, out);
            }
            assertThat(out).hasToString("ARNA 3\n");
            assertThat(
                    numbers("select id from read_parquet(" + SqlIdentifiers.literal(file.toString()) + ") order by 1"))
                    .containsExactly(42L, 43L);
        }
    }

    @Test
    void query_byAnInterruptedThread_readsTheImage() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), 3);
            TRADES.setAtIndex(trades, 1, new Trade(5, 6, 7, "S"));
        }
        SqlImage _ = register("desk");
        Thread.currentThread().interrupt();
        assertThat(numbers("select id from desk.trades")).containsExactly(5L);
        assertThat(Thread.interrupted()).isTrue();
    }

    /// Creates an image with a trade in each allocation.
    private void createMany(int count) {
        try (InfiniteArena arena = InfiniteArena.builder(base).chunked(1L << 30).build()) {
            for (int i = 0; i < count; i++) {
                TRADES.setAtIndex(arena.names().allocate("trades " + i, TRADES.type(), 1), 0, new Trade(i, 1, 1, "A"));
                if (i < 3) {
                    TRADES.setAtIndex(arena.names().allocate("trades" + i, TRADES.type(), 1), 0,
                            new Trade(i, 1, 1, "A"));
                }
            }
        }
    }

    @Test
    @Tag("full")
    void image_withManyAllocations_makesTablesOfThoseThatStatementsName() throws IOException {
        createMany(500);
        SqlImage desk = register("desk");
        assertThat(register("noon").tables()).hasSize(503);
        assertThat(sql.database.callbacks().tableCount()).isZero();
        assertThat(numbers("select a.id + b.id from desk.\"Trades 411\" a, noon.TRADES2 b"))
                .containsExactly(413L);
        assertThat(sql.database.callbacks().tableCount()).isEqualTo(4);
        assertThat(numbers("-- don't\nfrom query_table('noon.\"trades 7\"') select id")).containsExactly(7L);
        desk.withZeroRows();
        assertThat(numbers("select count(*) from desk.trades1")).containsExactly(1L);
        assertThat(numbers("select count(*) from information_schema.tables where table_schema = 'desk'"))
                .containsExactly(503L);
        assertThat(sql.database.callbacks().tableCount()).isEqualTo(2 * 503);
    }

    @Test
    void table_thatIsUnknown_isAnErrorThatSuggestsOneOfAnImage() throws IOException {
        createMany(3);
        register("main");
        assertThatThrownBy(() -> numbers("from trades11")).isInstanceOf(SqlException.class)
                .hasMessageContaining("Table with name trades11 does not exist")
                .hasMessageContaining("trades1\"");
        assertThatThrownBy(() -> numbers("create table TRADES0 (x int)")).isInstanceOf(SqlException.class)
                .hasMessageContaining("already exists");
        assertThatThrownBy(() -> sql.table("trades2", TRADES.type(), MemorySegment.ofAddress(8)))
                .isInstanceOf(SqlException.class)
                .hasMessageContaining("already exists");
    }

    @Test
    void table_thatIsDropped_isNotMadeAgain() throws IOException {
        createMany(3);
        register("desk");
        sql.query("drop view desk.trades1").close();
        assertThatThrownBy(() -> numbers("from desk.trades1")).isInstanceOf(SqlException.class);
        assertThatThrownBy(() -> sql.query("drop schema desk").close()).isInstanceOf(SqlException.class);
        sql.query("drop schema desk cascade").close();
        sql.query("create schema desk").close();
        assertThatThrownBy(() -> numbers("from desk.trades2")).isInstanceOf(SqlException.class);
        assertThat(register("desk").tables()).hasSize(6);
    }

    @Test
    void transaction_thatIsRolledBack_leavesTheTables() throws IOException {
        createMany(3);
        register("desk");
        sql.query("begin").close();
        assertThat(numbers("select id from desk.trades1")).containsExactly(1L);
        assertThat(numbers("select id from desk.trades2")).containsExactly(2L);
        sql.query("rollback").close();
        assertThat(numbers("select id from desk.trades1")).containsExactly(1L);
        sql.query("begin").close();
        assertThatThrownBy(() -> numbers("select error('x' || id) from desk.trades0")).isInstanceOf(SqlException.class);
        assertThatThrownBy(() -> numbers("select id from desk.trades2")).isInstanceOf(SqlException.class);
        sql.query("rollback").close();
        assertThat(numbers("select id from desk.trades0")).containsExactly(0L);
        assertThat(numbers("select id from desk.trades2")).containsExactly(2L);
    }

    private static void fill(InfiniteArena arena, int size) {
        ImageLongMap stock = arena.structures().longMap("stock");
        var orders = arena.structures().tree("orders", Long.class, ORDERS);
        var names = arena.structures().tree("names", String.class, ORDERS);
        for (int i = 0; i < size; i++) {
            stock.put(i, -i);
            orders.put((long) i, new Order("S" + i % 3, i));
            names.put("%06d".formatted(i), new Order("S" + i % 3, i));
        }
        arena.structures().longMap("empty");
    }

    @Test
    void columns_ofAnImageAndOfASegment_areTheRows() throws IOException {
        ColumnMapper<Trade> mapper = ColumnMapper.of(lookup(), Trade.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            ColumnTable<Trade> trades = arena.structures().columns("trades", mapper, 100_000);
            sql.table("live", mapper.type(), trades.segment());
            for (int i = 0; i < 70_000; i++) {
                trades.append(new Trade(i, i % 10, i / 4.0, "S" + i % 3));
            }
            register("desk");
            for (String table : List.of("live", "desk.trades")) {
                assertThat(texts("select sum(price)::bigint from " + table)).containsExactly("612491250");
                assertThat(texts("select count(*) from " + table)).containsExactly("70000");
                assertThat(texts("select symbol || quantity || ' ' || rowid from " + table + " where id = 65537"))
                        .containsExactly("S27 65537");
            }
            trades.append(new Trade(70_000, 1, 1, "S"));
            assertThat(texts("select count(*) from live")).containsExactly("70001");
            assertThatThrownBy(() -> sql.table("none", mapper.type(), arena.allocate(10_000, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Segment has no table of columns");
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // The array is a member of a struct.
    record Large(long id, @Length(1 << 24) byte[] bytes) {}

    @Test
    void columns_ofASegmentWithLargeRows_areCopiedAFewAtATime() {
        ColumnMapper<Large> mapper = ColumnMapper.of(lookup(), Large.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            ColumnTable<Large> large = arena.structures().columns("large", mapper, 64);
            large.append(new Large(1, new byte[1 << 24]));
            large.append(new Large(2, new byte[1 << 24]));
            sql.table("live", mapper.type(), large.segment());
            assertThat(texts("select sum(id)::bigint from live")).containsExactly("3");
        }
    }

    @Test
    @Tag("full")
    void structures_closed_haveTheirEntriesAsRows() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 20_000);
        }
        assertThat(register("desk").tables()).containsExactly("stock", "orders", "names", "empty");
        assertThat(texts("select count(*) || ' ' || sum(key) || ' ' || sum(value) from desk.stock"))
                .containsExactly("20000 199990000 -199990000");
        assertThat(texts("select count(distinct rowid) from desk.stock")).containsExactly("20000");
        assertThat(texts("select sum(key - value.quantity) from desk.orders")).containsExactly("0");
        assertThat(texts("select value.symbol || count(*) from desk.orders group by value.symbol order by 1"))
                .containsExactly("S06667", "S16667", "S26666");
        assertThat(texts("select key from desk.names where rowid between 7 and 9 order by rowid"))
                .containsExactly("000007", "000008", "000009");
        assertThat(texts("select count(*) from desk.empty")).containsExactly("0");
        assertThat(texts("select count(*) from desk.stock join desk.orders on stock.key = orders.key"
                + " join desk.names on names.value.quantity = stock.key")).containsExactly("20000");
    }

    @Test
    void structures_entryOfZeros_isARow() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 1);
        }
        register("desk");
        assertThat(texts("select count(*) from desk.stock where key = 0 and value = 0")).containsExactly("1");
    }

    @Test
    void structures_ownerRunning_areReadAgainByEachQuery() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 10);
            register("desk");
            assertThat(texts("select count(*) from desk.stock")).containsExactly("10");
            ImageLongMap stock = arena.structures().longMap("stock");
            for (int i = 10; i < 5_000; i++) {
                stock.put(i, 1);
            }
            assertThat(texts("select count(*) from desk.stock")).containsExactly("5000");
        }
    }

    @Test
    void structures_lostOrDamaged_makeTheirQueriesFail() throws IOException {
        Path copy = base.resolveSibling("copy");
        try (InfiniteArena arena = InfiniteArena.ofShared(base); ArenaImage image = ArenaImage.open(base)) {
            fill(arena, 10);
            image.copyTo(copy);
        }
        store(copy, "stock", BOOT_OFFSET, 1);
        store(copy, "empty", 128, -1);
        register(copy, "desk");
        assertThat(texts("select count(*) from desk.names")).containsExactly("10");
        assertThatThrownBy(() -> texts("select * from desk.stock")).isInstanceOf(SqlException.class)
                .hasMessageContaining("table=desk.stock")
                .hasMessageContaining("when the machine failed");
        assertThatThrownBy(() -> texts("select * from desk.empty")).isInstanceOf(SqlException.class)
                .hasMessageContaining("Structure is damaged: name=empty, root=0xffffffffffffffff");
    }

    @Test
    void structures_entryThatWasChanged_makesItsQueryFail() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 10);
        }
        long pair;
        try (ArenaImage image = ArenaImage.open(base)) {
            var cursor = image.entries(image.find("stock").orElseThrow()).orElseThrow().cursor();
            assertThat(cursor.next()).isTrue();
            pair = cursor.position(0);
        }
        store(base, "stock", pair + Long.BYTES, 4711);
        register("desk");
        assertThat(texts("select count(*) from desk.orders")).containsExactly("10");
        assertThatThrownBy(() -> texts("select * from desk.stock")).isInstanceOf(SqlException.class)
                .hasMessageContaining("check of a group is wrong");
    }

    private static void store(Path base, String name, long byteOffset, long value) throws IOException {
        try (ArenaImage image = ArenaImage.open(base);
                RandomAccessFile file = new RandomAccessFile(
                        ImageFiles.data(base, image.find(name).orElseThrow().file()).toFile(), "rw")) {
            file.seek(byteOffset);
            file.writeLong(Long.reverseBytes(value));
        }
    }
}
