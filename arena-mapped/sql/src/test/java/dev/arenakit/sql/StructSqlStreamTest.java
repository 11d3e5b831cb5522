package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.teststructs.JavaValues;
import dev.arenakit.teststructs.RandomStruct;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Results whose rows the engine computes while they are read, and structs of random types, which have the same values
/// in SQL as in Java.
class StructSqlStreamTest {
    record Point(int x, int y) {}

    private static final RecordMapper<Point> POINTS = RecordMapper.of(MethodHandles.lookup(), Point.class);
    private static final int COUNT = 200_000;

    @TempDir
    private Path directory;
    private final StructSql sql = StructSql.open();
    private static final int SEEDS = 40;
    private static final int MANY_SEEDS = 2000;

    @AfterEach
    void close() {
        sql.close();
    }

    private void addImage() throws IOException {
        Path base = directory.resolve("image");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment points = arena.names().allocate("points", POINTS.type(), COUNT);
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

    @SuppressWarnings("ArrayRecordComponent")
    record Large(int count, @Length(value = 100_000, counted = "count") int[] numbers, @Length(1 << 20) byte[] bytes) {}

    private static final RecordMapper<Large> LARGE = RecordMapper.of(MethodHandles.lookup(), Large.class);

    /// The memory of the process, without files.
    private static long anonymousBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status"))
                .stream()
                .filter(line -> line.startsWith("RssAnon:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .sum();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void stream_ofStructsOfMoreThanAMebibyte_needsTheMemoryOfSomeRows() throws IOException {
        int count = 128;
        long byteSize = LARGE.type().byteSize();
        Path base = directory.resolve("large");
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment structs = arena.names().allocate("large", LARGE.type(), count);
            for (int i = 0; i < count; i++) {
                structs.set(JAVA_INT, i * byteSize, 100_000);
            }
        }
        try (ArenaImage image = ArenaImage.open(base)) {
            sql.image("main", image);
        }
        long before = anonymousBytes();
        long most = 0;
        long elements = 0;
        try (SqlResult result = sql.stream("select len(numbers) + len(bytes) from large")) {
            while (result.next()) {
                elements += result.longValue(0);
                most = Math.max(most, anonymousBytes() - before);
            }
        }
        assertThat(elements).isEqualTo(count * (100_000L + (1 << 20)));
        assertThat(most).isLessThan(count * byteSize / 2);
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

    @Test
    @Tag("full")
    void query_ofRandomTypes_returnsWhatJavaReads() {
        check(0, SEEDS);
    }

    @Test
    @Tag("full")
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
