package dev.arenakit.spark;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.sql.SqlResult;
import dev.arenakit.sql.StructSql;
import dev.arenakit.teststructs.JavaValues;
import dev.arenakit.teststructs.RandomStruct;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

import static org.assertj.core.api.Assertions.assertThat;

/// Structs of all types have the same values in Spark as in a model.
class SparkTypesTest {
    @TempDir
    private Path directory;
    private static final List<String> QUERIES = List.of(
            "select symbol, sum(quantity), count(*), min(price) from all_trades group by symbol order by symbol",
            "select sum(id), max(rowid) from all_trades where price > 20 and quantity between 100 and 900",
            "select quantity, count(distinct symbol) from all_trades where symbol like 'S1%' group by quantity"
                    + " order by quantity",
            "select a.id, b.quantity from all_trades a join all_trades b on a.id + 1 = b.id where a.id % 1000 = 7"
                    + " order by a.id",
            "select count(*) from all_trades where rowid < 3 or rowid = 50");

    @Test
    void values_ofRandomStructs_areThoseOfTheModel() {
        check(0, 12);
    }

    @Test
    @Tag("slow")
    void values_ofManyRandomStructs_areThoseOfTheModel() {
        check(12, 300);
    }

    private void check(int from, int to) {
        for (int seed = from; seed < to; seed++) {
            RandomStruct structs = new RandomStruct(seed);
            StructType type = structs.type(2);
            // Structs without bytes are in no table.
            if (type.byteSize() > 0) {
                check(seed, structs, type);
            }
        }
    }

    private void check(int seed, RandomStruct structs, StructType type) {
        int count = new Random(seed).nextInt(10) == 0 ? 5000 : 20;
        List<List<@Nullable Object>> expected = new ArrayList<>();
        Path base = directory.resolve("image" + seed);
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment segment = arena.allocate("structs", type, count);
            for (long i = 0; i < count; i++) {
                MemorySegment struct = segment.asSlice(i * type.byteSize(), type.byteSize());
                structs.fill(type, struct);
                expected.add(JavaValues.columns(type, struct));
            }
        }
        Dataset<Row> rows = LocalSpark.load("structs", base, "zeros", "true").orderBy("rowid");
        assertThat(rows.collectAsList().stream().map(SparkTypesTest::columns))
                .as("seed %d, type %s", seed, type)
                .containsExactlyElementsOf(expected);
    }

    /// The columns after the first one, the index of the struct.
    private static List<@Nullable Object> columns(Row row) {
        List<@Nullable Object> columns = new ArrayList<>();
        for (int i = 1; i < row.length(); i++) {
            columns.add(plain(row.get(i)));
        }
        return columns;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Byte number -> number.longValue();
            case Short number -> number.longValue();
            case Integer number -> number.longValue();
            case BigDecimal number -> number.toBigInteger().bitLength() < Long.SIZE
                    ? (Object) number.longValueExact()
                    : number.toBigInteger();
            case Row row -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                for (int i = 0; i < row.length(); i++) {
                    members.put(row.schema().fieldNames()[i], plain(row.get(i)));
                }
                yield members;
            }
            case Seq<?> elements -> CollectionConverters.asJava(elements)
                    .stream()
                    .map(SparkTypesTest::plain)
                    .toList();
            default -> value;
        };
    }

    @Test
    void queries_ofManyImages_haveTheAnswersOfDuckDb() throws IOException {
        check(200, 100);
    }

    @Test
    @Tag("slow")
    void queries_ofLargeImages_haveTheAnswersOfDuckDb() throws IOException {
        check(3, 1_000_000);
    }

    private void check(int images, int count) throws IOException {
        for (int i = 0; i < images; i++) {
            Trade.write(directory.resolve("image" + i), (long) i * count, count);
        }
        LocalSpark.trades(directory.resolve("image*")).createOrReplaceTempView("all_trades");
        try (StructSql sql = StructSql.open()) {
            for (int i = 0; i < images; i++) {
                try (ArenaImage image = ArenaImage.open(directory.resolve("image" + i))) {
                    sql.image("image" + i, image);
                }
            }
            sql.query("create view all_trades as " + IntStream.range(0, images)
                    .mapToObj(i -> "from image" + i + ".trades")
                    .collect(Collectors.joining(" union all "))).close();
            for (String query : QUERIES) {
                assertThat(LocalSpark.session().sql(query).collectAsList().stream().map(SparkTypesTest::texts))
                        .as(query)
                        .containsExactlyElementsOf(answers(sql, query));
            }
        }
    }

    private static List<String> texts(Row row) {
        return IntStream.range(0, row.length()).mapToObj(i -> String.valueOf(row.get(i))).toList();
    }

    private static List<List<String>> answers(StructSql sql, String query) {
        List<List<String>> rows = new ArrayList<>();
        try (SqlResult result = sql.query(query)) {
            while (result.next()) {
                rows.add(IntStream.range(0, result.columns().size()).mapToObj(result::text).toList());
            }
        }
        return rows;
    }
}
