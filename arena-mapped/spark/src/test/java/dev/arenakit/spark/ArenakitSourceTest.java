package dev.arenakit.spark;

import com.sun.management.ThreadMXBean;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.Allocation;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.spark.LocalSpark.load;
import static dev.arenakit.spark.LocalSpark.longs;
import static dev.arenakit.spark.LocalSpark.trades;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The rows of images do not depend on holes, partitions and filters, and damage is an error of a query.
class ArenakitSourceTest {
    private static final int COUNT = 200_000;

    @TempDir
    private Path directory;

    private Path base() {
        return directory.resolve("image");
    }

    @Test
    void rows_ofATableOfColumns_areItsRecords() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base())) {
            ColumnTable<Trade> trades = arena.structures()
                    .columns("trades", ColumnMapper.of(MethodHandles.lookup(), Trade.class), COUNT);
            for (int i = 0; i < COUNT; i++) {
                trades.append(Trade.at(i));
            }
        }
        Dataset<Row> rows = trades(base(), "partitionBytes", "1000000");
        assertThat(rows.count()).isEqualTo(COUNT);
        assertThat(longs(rows.filter("quantity = 7").selectExpr("sum(id)"))).containsExactly(
                LongStream.range(0, COUNT).filter(id -> Trade.at(id).quantity() == 7).sum());
        assertThat(rows.filter("rowid = 150000").selectExpr("id", "symbol", "price").collectAsList())
                .containsExactly(RowFactory.create(150_000L, Trade.at(150_000).symbol(), Trade.at(150_000).price()));
    }

    /// Writes trades between holes, and structs of zeros between the trades.
    private Map<Long, Trade> writeRandom(boolean chunked) {
        TreeMap<Long, Trade> written = new TreeMap<>();
        Random random = new Random(1);
        try (InfiniteArena arena = chunked
                ? InfiniteArena.builder(base()).chunked(1L << 30).build()
                : InfiniteArena.ofShared(base())) {
            MemorySegment _ = arena.names().allocate("empty", Trade.TRADES.type(), 3);
            MemorySegment trades = arena.names().allocate("trades", Trade.TRADES.type(), COUNT);
            for (int i = 0; i < 100; i++) {
                int start = random.nextInt(COUNT - 200);
                int length = 1 + random.nextInt(200);
                boolean zeros = random.nextInt(4) == 0;
                for (long row = start; row < start + length; row++) {
                    if (zeros) {
                        Trade.TRADES.setAtIndex(trades, row, new Trade(0, 0, 0, ""));
                        written.remove(row);
                    } else {
                        Trade.TRADES.setAtIndex(trades, row, Trade.at(row));
                        written.put(row, Trade.at(row));
                    }
                }
            }
            Trade.TRADES.setAtIndex(trades, COUNT - 1, new Trade(0, 1, 0, ""));
            written.put(COUNT - 1L, new Trade(0, 1, 0, ""));
        }
        return written;
    }

    private static List<Row> rows(Map<Long, Trade> written, Predicate<Map.Entry<Long, Trade>> condition) {
        return written.entrySet().stream().filter(condition).map(entry -> {
            Trade trade = entry.getValue();
            return RowFactory.create(entry.getKey(), trade.id(), trade.quantity(), trade.price(), trade.symbol());
        }).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rows_areTheStructsThatAreNotZero_whereverTheHolesAre(boolean chunked) {
        Map<Long, Trade> written = writeRandom(chunked);
        Dataset<Row> trades = trades(base(), "partitionBytes", "65536");
        assertThat(trades.schema().toDDL()).isEqualTo("rowid BIGINT NOT NULL,id BIGINT NOT NULL,quantity INT NOT NULL,"
                + "price DOUBLE NOT NULL,symbol STRING NOT NULL");
        assertThat(trades.rdd().getNumPartitions()).isGreaterThan(1);
        assertThat(trades.orderBy("rowid").collectAsList()).isEqualTo(rows(written, _ -> true));
        assertThat(trades.count()).isEqualTo(written.size());
        assertThat(trades.limit(5).collectAsList()).hasSize(5).allMatch(row -> written.containsKey(row.getLong(0)));
        assertThat(longs(trades.groupBy("symbol").count().select("count").orderBy("count"))).isEqualTo(written.values()
                .stream()
                .collect(Collectors.groupingBy(Trade::symbol, Collectors.counting()))
                .values()
                .stream()
                .sorted()
                .toList());
        assertThat(load("empty", base()).count()).isZero();
    }

    @Test
    void zeros_areRows_onRequest() {
        Map<Long, Trade> written = writeRandom(false);
        Dataset<Row> trades = trades(base(), "zeros", "true", "partitionBytes", "50000");
        assertThat(trades.count()).isEqualTo(COUNT);
        assertThat(longs(trades.selectExpr("sum(rowid)"))).containsExactly(COUNT * (COUNT - 1L) / 2);
        assertThat(longs(trades.selectExpr("sum(quantity)")))
                .containsExactly(written.values().stream().mapToLong(Trade::quantity).sum());
        assertThat(trades.where("quantity <> 0").orderBy("rowid").collectAsList())
                .isEqualTo(rows(written, entry -> entry.getValue().quantity() != 0));
        assertThat(load("empty", base(), "zeros", "true").count()).isEqualTo(3);
    }

    @Test
    void countedElements_areRows_evenIfTheyAreZero() {
        try (InfiniteArena arena = InfiniteArena.ofShared(base())) {
            GrowableSegment trades = arena.names().growable("trades", Trade.TRADES.type(), 100);
            Trade.TRADES.setAtIndex(trades.grow(7 * Trade.TRADES.byteSize()), 3, Trade.at(3));
            trades.elementCount(5);
        }
        assertThat(longs(trades(base()).select("id").orderBy("rowid"))).containsExactly(0L, 0L, 0L, 3L, 0L);
    }

    @Test
    void filters_haveTheSameRows_pushedOrNot() {
        Map<Long, Trade> written = writeRandom(true);
        Dataset<Row> trades = trades(base(), "partitionBytes", "1000000");
        Map<String, Predicate<Map.Entry<Long, Trade>>> filters = Map.ofEntries(
                Map.entry("quantity > 500", entry -> entry.getValue().quantity() > 500),
                Map.entry("500 >= quantity", entry -> entry.getValue().quantity() <= 500),
                Map.entry("quantity in (7, 11, 500) or id = 0",
                        entry -> List.of(7, 11, 500).contains(entry.getValue().quantity())
                                || entry.getValue().id() == 0),
                Map.entry("not (price < 10 and symbol >= 'S2')",
                        entry -> !(entry.getValue().price() < 10 && entry.getValue().symbol().compareTo("S2") >= 0)),
                Map.entry("price = -0.0", entry -> entry.getValue().price() == 0),
                Map.entry("symbol = 'S31' and quantity <> 2",
                        entry -> entry.getValue().symbol().equals("S31") && entry.getValue().quantity() != 2),
                Map.entry("symbol like '%1' and rowid % 2 = 0",
                        entry -> entry.getValue().symbol().endsWith("1") && entry.getKey() % 2 == 0),
                Map.entry("rowid between 1000 and 100000", entry -> entry.getKey() >= 1000
                        && entry.getKey() <= 100_000),
                Map.entry("rowid = 199999 or rowid < 5000", entry -> entry.getKey() == 199_999
                        || entry.getKey() < 5000),
                Map.entry("rowid > 9223372036854775806 or rowid <= -1", _ -> false),
                Map.entry("rowid is not null and id is null", _ -> false));
        filters.forEach((filter, condition) -> assertThat(trades.where(filter).orderBy("rowid").collectAsList())
                .as(filter)
                .isEqualTo(rows(written, condition)));
    }

    @Test
    void filters_onTheIndex_leaveOutPartitions() {
        Trade.write(base(), 0, COUNT);
        Dataset<Row> trades = trades(base(), "partitionBytes", "1000000");
        Dataset<Row> one = trades.where("rowid = 70000 and quantity > 0");
        assertThat(trades.rdd().getNumPartitions()).isBetween(4, 6);
        assertThat(one.rdd().getNumPartitions()).isEqualTo(1);
        assertThat(longs(one.select("id"))).containsExactly(70_000L);
        assertThat(one.queryExecution().executedPlan().toString()).doesNotContain("Filter (")
                .contains("GreaterThan(quantity,0)");
        assertThat(one.queryExecution().optimizedPlan().stats().sizeInBytes().toLong())
                .isEqualTo(Trade.TRADES.byteSize());
    }

    @Test
    void images_ofAGlob_areOneTable() throws IOException {
        for (int i = 0; i < 3; i++) {
            Trade.write(Files.createDirectories(directory.resolve("d" + i)).resolve("image"), 10L * i, 10);
        }
        Path glob = directory.resolve("d*/im*");
        Dataset<Row> trades = trades(glob, "imageColumn", "source", "pidColumn", "process");
        assertThat(trades.rdd().getNumPartitions()).as("small images are read together").isEqualTo(1);
        assertThat(longs(trades.select("id").orderBy("id")))
                .isEqualTo(LongStream.range(0, 30).boxed().toList());
        assertThat(trades.where("source like '%d1/image' and id = 12")
                .select("source", "process", "rowid")
                .collectAsList()).containsExactly(
                        RowFactory.create(directory.resolve("d1/image").toString(), ProcessHandle.current().pid(), 2L));
        Dataset<Row> two = LocalSpark.session()
                .read()
                .format("arenakit")
                .option("allocation", "trades")
                .load(directory + "/d0/image", "file://" + directory + "/d2/image");
        assertThat(longs(two.selectExpr("sum(id)"))).containsExactly(45L + 245);
        assertThatThrownBy(() -> trades(glob, "pidColumn", "Price"))
                .hasMessageContaining("Table has a column of this name: name=Price");
    }

    record Moved(double price, long id, @Length(30) String symbol, int quantity) {}

    @Test
    void images_withTheSameColumns_areOneTable_inAnyOrderOfMembers() {
        Trade.write(directory.resolve("a"), 0, 10);
        RecordMapper<Moved> moved = RecordMapper.of(MethodHandles.lookup(), Moved.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("b"))) {
            moved.setAtIndex(arena.names().allocate("trades", moved.type(), 5), 2, new Moved(0.5, 10, "S10", 70));
        }
        Dataset<Row> trades = trades(directory.resolve("*"));
        assertThat(longs(trades.selectExpr("sum(quantity)"))).containsExactly(55L + 70);
        assertThat(trades.where("symbol = 'S10'").select("rowid", "id", "price").collectAsList())
                .containsExactly(RowFactory.create(2L, 10L, 0.5));
    }

    record Wider(long id, long quantity, double price,
            @Length(16) String symbol) {}

    @Test
    void images_withOtherColumns_areRefused() {
        Trade.write(directory.resolve("a"), 0, 10);
        RecordMapper<Wider> wider = RecordMapper.of(MethodHandles.lookup(), Wider.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("b"))) {
            MemorySegment _ = arena.names().allocate("trades", wider.type(), 5);
        }
        assertThatThrownBy(() -> trades(directory.resolve("*")))
                .hasMessage("Image has other columns than the table: base=" + directory.resolve("b")
                        + ", column=quantity, type=BIGINT, expected=INT; load it as a table of its own");
    }

    @Test
    void image_thatIsAddedLater_isReadOrRefused() {
        Trade.write(directory.resolve("a"), 0, 10);
        Dataset<Row> trades = trades(directory.resolve("*"));
        Trade.write(directory.resolve("b"), 10, 10);
        assertThat(longs(trades.selectExpr("sum(id)"))).containsExactly(190L);
        RecordMapper<Wider> wider = RecordMapper.of(MethodHandles.lookup(), Wider.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("c"))) {
            MemorySegment _ = arena.names().allocate("trades", wider.type(), 5);
        }
        assertThatThrownBy(() -> trades.selectExpr("sum(quantity)").collectAsList())
                .hasMessageContaining("base=" + directory.resolve("c") + ", column=quantity");
    }

    @Test
    void options_thatAreWrong_areRefused() throws IOException {
        Trade.write(base(), 0, 10);
        String untyped;
        try (InfiniteArena arena = InfiniteArena.ofShared(directory.resolve("other"))) {
            MemorySegment _ = arena.allocate(100);
        }
        try (ArenaImage image = ArenaImage.open(directory.resolve("other"));
                Stream<Allocation> allocations = image.allocations()) {
            untyped = allocations.map(Allocation::label).findFirst().orElseThrow();
        }
        assertThatThrownBy(() -> load("orders", base()))
                .hasMessageContaining("Image has no such allocation: base=" + base())
                .hasMessageContaining("allocations=[trades]");
        assertThatThrownBy(() -> trades(directory.resolve("none"))).hasMessageContaining("No image: path=");
        assertThatThrownBy(() -> trades(directory.resolve("none*"))).hasMessageContaining("No image: path=");
        assertThatThrownBy(() -> LocalSpark.session().read().format("arenakit").load(base().toString()))
                .hasMessageContaining("Table needs a path and an allocation");
        assertThatThrownBy(() -> LocalSpark.session()
                .read()
                .format("arenakit")
                .option("allocation", "trades")
                .load("s3a://bucket/image")).hasMessageContaining("'FILE.parquet'");
        assertThatThrownBy(() -> load(untyped, directory.resolve("other")))
                .hasMessageContaining("no type was recorded");
        assertThatThrownBy(() -> trades(base(), "partitionBytes", "0")).hasMessageContaining("partitionBytes=0");
    }

    @Test
    void file_thatIsTruncatedOrMissing_isAnErrorOfTheQuery() throws IOException {
        Trade.write(base(), 0, COUNT);
        Path file = directory.resolve("image-0");
        JavaRDD<Row> rdd = trades(base()).select("id").javaRDD();
        // Spark plans the query now.
        assertThat(rdd.partitions()).isNotEmpty();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(Trade.TRADES.byteSize() * 5000 + 1);
        }
        assertThatThrownBy(rdd::collect).hasMessageContaining("Data file is truncated: host=")
                .hasMessageContaining("path=" + file);
        assertThatThrownBy(() -> longs(trades(base()).selectExpr("sum(id)")))
                .hasMessageContaining("Data file is truncated: host=");
        Files.delete(file);
        assertThatThrownBy(rdd::collect).hasMessageContaining("Data file is missing: host=")
                .hasMessageContaining("path=" + file);
        assertThatThrownBy(() -> longs(trades(base()).selectExpr("sum(id)")))
                .hasMessageContaining("Data file is missing: host=");
    }

    @Test
    void text_thatIsMalformed_failsTheQueriesThatUseIt() throws IOException {
        Trade.write(base(), 0, 100);
        try (RandomAccessFile damaged = new RandomAccessFile(directory.resolve("image-0").toFile(), "rw")) {
            damaged.seek(
                    Trade.TRADES.byteSize() * 77 + Trade.TRADES.type().member("symbol").orElseThrow().byteOffset());
            damaged.write(0xff);
        }
        assertThat(longs(trades(base()).selectExpr("sum(id)"))).containsExactly(4950L);
        assertThatThrownBy(() -> trades(base()).groupBy("symbol").count().collectAsList())
                .hasMessageContaining("image=" + base() + ", allocation=trades, rowid=77");
        assertThatThrownBy(() -> trades(base()).where("symbol = 'S1'").count()).hasMessageContaining("rowid=77");
    }

    @Test
    void sql_createsATable_andJoinsIt() {
        Trade.write(base(), 0, 100);
        LocalSpark.session()
                .sql("create table desk using arenakit options (path '" + base() + "', allocation 'trades')");
        try {
            assertThat(longs(LocalSpark.session()
                    .sql("select count(*) from desk a join desk b on a.id = b.rowid where a.quantity <= 10")))
                    .containsExactly(10L);
        } finally {
            LocalSpark.session().sql("drop table desk");
        }
    }

    @ParameterizedTest
    @EnumSource(SaveMode.class)
    void write_isRefused(SaveMode mode) {
        writeRandom(false);
        assertThatThrownBy(() -> write(mode, base())).isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("Spark does not write images: path=" + base()
                        + "; write Parquet, or make an image with InfiniteArena or arena import");
        assertThatThrownBy(() -> write(mode, directory.resolve("other")))
                .hasMessageContaining("No image: path=" + directory.resolve("other"))
                .hasMessageContaining("Spark does not write images");
        assertThat(directory.resolve("other.catalog")).doesNotExist();
    }

    private void write(SaveMode mode, Path path) {
        trades(base()).write().format("arenakit").option("allocation", "trades").mode(mode).save(path.toString());
    }

    @SuppressWarnings("ArrayRecordComponent")
    record Large(int count, @Length(value = 100_000, counted = "count") int[] numbers, @Length(1 << 20) byte[] bytes) {}

    /// A batch has one of the structs. All batches of a task have the same memory: its allocations do not grow with the
    /// number of rows.
    @Test
    void structs_ofMoreThanAMebibyte_areReadOneByOne() {
        int count = 64;
        RecordMapper<Large> large = RecordMapper.of(MethodHandles.lookup(), Large.class);
        try (InfiniteArena arena = InfiniteArena.ofShared(base())) {
            MemorySegment structs = arena.names().allocate("large", large.type(), count);
            int[] numbers = new int[100_000];
            byte[] bytes = new byte[1 << 20];
            for (int i = 0; i < count; i++) {
                numbers[99_999] = i;
                bytes[bytes.length - 1] = (byte) i;
                large.setAtIndex(structs, i, new Large(numbers.length, numbers, bytes));
            }
        }
        Dataset<Row> sums = load("large", base(), "partitionBytes", String.valueOf(1L << 30)).selectExpr(
                "sum(numbers[99999])", "sum(bytes[1048575])", "sum(size(numbers))", "sum(size(bytes))");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThat(sums.collectAsList().toString()).isEqualTo("[[2016,2016,6400000,67108864]]");
        long before = threads.getTotalThreadAllocatedBytes();
        assertThat(sums.collectAsList()).hasSize(1);
        assertThat(threads.getTotalThreadAllocatedBytes() - before).isLessThan(32L << 20);
    }
}
