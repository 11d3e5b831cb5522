package dev.arenakit.sql;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageFiles;
import dev.arenakit.mapped.ImageLongMap;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.lang.invoke.MethodHandles.lookup;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tables of structures in images: their rows are the entries.
class StructSqlStructureTest {
    record Order(@Length(8) String symbol, int quantity) {}

    private static final RecordMapper<Order> ORDERS = RecordMapper.of(lookup(), Order.class);
    private static final long BOOT_OFFSET = 72;

    private final Path base;
    private final StructSql sql = StructSql.open();

    StructSqlStructureTest(@TempDir Path directory) {
        base = directory.resolve("image");
    }

    @AfterEach
    void close() {
        sql.close();
    }

    private static void fill(InfiniteArena arena, int size) {
        ImageLongMap stock = arena.longMap("stock");
        var orders = arena.tree("orders", Long.class, ORDERS);
        var names = arena.tree("names", String.class, ORDERS);
        for (int i = 0; i < size; i++) {
            stock.put(i, -i);
            orders.put((long) i, new Order("S" + i % 3, i));
            names.put("%06d".formatted(i), new Order("S" + i % 3, i));
        }
        arena.longMap("empty");
    }

    private SqlImage register(Path base, String schema) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            return sql.image(schema, image);
        }
    }

    private List<String> texts(String query) {
        List<String> texts = new ArrayList<>();
        try (SqlResult result = sql.query(query)) {
            while (result.next()) {
                texts.add(result.text(0));
            }
        }
        return texts;
    }

    @Test
    @Tag("full")
    void structures_closed_haveTheirEntriesAsRows() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 20_000);
        }
        assertThat(register(base, "desk").tables()).containsExactly("stock", "orders", "names", "empty");
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
        register(base, "desk");
        assertThat(texts("select count(*) from desk.stock where key = 0 and value = 0")).containsExactly("1");
    }

    @Test
    void structures_ownerRunning_areReadAgainByEachQuery() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            fill(arena, 10);
            register(base, "desk");
            assertThat(texts("select count(*) from desk.stock")).containsExactly("10");
            ImageLongMap stock = arena.longMap("stock");
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
        register(base, "desk");
        assertThat(texts("select count(*) from desk.orders")).containsExactly("10");
        assertThatThrownBy(() -> texts("select * from desk.stock")).isInstanceOf(SqlException.class)
                .hasMessageContaining("Structure has entries whose check is wrong");
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
