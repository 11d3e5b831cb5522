package dev.arenakit.sql;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Structs of random types have the same values in SQL as in Java.
@Tag("full")
class StructSqlTypesTest {
    private static final int SEEDS = 40;
    private static final int MANY_SEEDS = 2000;

    @Test
    void query_ofRandomTypes_returnsWhatJavaReads() {
        check(0, SEEDS);
    }

    @Test
    @Tag("slow")
    void query_ofManyRandomTypes_returnsWhatJavaReads() {
        check(SEEDS, MANY_SEEDS);
    }

    private static void check(int from, int to) {
        try (StructSql sql = StructSql.open()) {
            for (int seed = from; seed < to; seed++) {
                check(sql, seed);
            }
        }
    }

    private static void check(StructSql sql, int seed) {
        RandomStruct structs = new RandomStruct(seed);
        StructType type = structs.type(2);
        if (type.byteSize() == 0) {
            return; // Such structs cannot be in a table.
        }
        Random random = new Random(seed);
        int rows = random.nextInt(10) == 0 ? 5000 : random.nextInt(50);
        try (Arena arena = Arena.ofShared()) {
            // Neither the first byte nor the end is aligned.
            MemorySegment segment = arena.allocate(1 + rows * type.byteSize() + type.byteSize() / 2).asSlice(1);
            for (int i = 0; i < rows; i++) {
                structs.fill(type, segment.asSlice(i * type.byteSize(), type.byteSize()));
            }
            sql.table("t" + seed, type, segment);
            checkAll(sql, seed, type, segment, rows);
            checkSome(sql, seed, type, segment, rows, random);
        }
    }

    private static void checkAll(StructSql sql, int seed, StructType type, MemorySegment segment, int rows) {
        try (SqlResult result = sql.query("select * from t" + seed)) {
            for (int i = 0; i < rows; i++) {
                assertThat(result.next()).isTrue();
                assertThat(result.longValue(0)).isEqualTo(i);
                List<@Nullable Object> found = new ArrayList<>();
                for (int column = 1; column < result.columns().size(); column++) {
                    found.add(result.value(column).orElse(null));
                }
                assertThat(found).as("seed %d, row %d, type %s", seed, i, type)
                        .isEqualTo(JavaValues.columns(type, struct(type, segment, i)));
            }
            assertThat(result.next()).isFalse();
        }
    }

    private static void checkSome(StructSql sql, int seed, StructType type, MemorySegment segment, int rows,
            Random random) {
        List<Integer> columns = random.ints(1 + random.nextInt(4), 0, type.members().size()).boxed().toList();
        String names = columns.stream().map(i -> type.members().get(i).name()).collect(Collectors.joining(", "));
        try (SqlResult result = sql.query("select " + names + ", rowid from t" + seed + " where rowid % 3 = ?",
                seed % 3)) {
            for (int i = seed % 3; i < rows; i += 3) {
                assertThat(result.next()).isTrue();
                List<@Nullable Object> all = JavaValues.columns(type, struct(type, segment, i));
                for (int column = 0; column < columns.size(); column++) {
                    assertThat(result.value(column).orElse(null)).as("seed %d, row %d", seed, i)
                            .isEqualTo(all.get(columns.get(column)));
                }
            }
            assertThat(result.next()).isFalse();
        }
    }

    private static MemorySegment struct(StructType type, MemorySegment segment, int index) {
        return segment.asSlice(index * type.byteSize(), type.byteSize());
    }
}
