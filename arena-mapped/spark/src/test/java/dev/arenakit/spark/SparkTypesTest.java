package dev.arenakit.spark;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.teststructs.JavaValues;
import dev.arenakit.teststructs.RandomStruct;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
            MemorySegment segment = arena.names().allocate("structs", type, count);
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
}
