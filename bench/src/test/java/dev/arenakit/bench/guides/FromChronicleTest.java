package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.peer.ChronicleMaps;
import dev.arenakit.bench.candidate.peer.UnavailableException;
import dev.arenakit.collection.LongLongMap;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.ImageLongMap;
import dev.arenakit.mapped.ImageTree;
import dev.arenakit.mapped.InfiniteArena;
import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

import static org.assertj.core.api.Assertions.assertThat;

/// Runs both columns of the section "Chronicle Map" of `docs/migration.md`.
@Tag("full")
class FromChronicleTest {
    @TempDir
    Path directory;

    public record OrderId(long id) {}

    public record Order(long customer, int quantity) implements Serializable {}

    @BeforeAll
    static void requireChronicle() {
        try {
            ChronicleMaps.requireAvailable();
        } catch (UnavailableException e) {
            throw new TestAbortedException(e.getMessage(), e);
        }
    }

    @Test
    void rows_areTested() throws IOException {
        Guide.section("Chronicle Map", FromChronicleTest.class).assertRowsAreTested();
    }

    @Test
    void persistedMap_isReadByOthers() throws IOException {
        File file = directory.resolve("chronicle").toFile();
        long there;
        {
            ChronicleMapBuilder<Long, Long> builder = ChronicleMapBuilder.of(Long.class, Long.class).name("stock");
            try (ChronicleMap<Long, Long> map = builder.entries(1_000).createPersistedTo(file)) {
                assertThat(map.put(1L, 10L)).isNull();
                map.merge(1L, 5L, Long::sum);
                assertThat(map.get(2L)).isNull();
                ChronicleMap<Long, Long> reader;
                reader = builder.createPersistedTo(file);
                there = reader.get(1L);
                reader.close();
            }
        }
        Path base = directory.resolve("image");
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            ImageLongMap map = arena.structures().longMap("stock");
            assertThat(map.put(1, 10)).isTrue();
            map.addTo(1, 5);
            assertThat(map.get(2, -1)).isEqualTo(-1);
            ArenaImage image;
            image = ArenaImage.open(base);
            try (image; Arena memory = Arena.ofConfined()) {
                assertThat(image.structures(memory).longMap("stock").get(1, -1)).isEqualTo(there).isEqualTo(15);
            }
        }
    }

    @Test
    void records_areStored() throws IOException {
        Order there;
        {
            ChronicleMapBuilder<Long, Order> builder = ChronicleMapBuilder.of(Long.class, Order.class)
                    .name("orders")
                    .averageValueSize(100);
            try (ChronicleMap<Long, Order> orders = builder.entries(1_000).create()) {
                orders.put(1L, new Order(7, 100));
                there = orders.get(1L);
            }
        }
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("image")).openOrCreate()) {
            ImageTree<Long, Order> orders = arena.structures().tree("orders", Long.class, Order.class);
            orders.put(1L, new Order(7, 100));
            assertThat(orders.get(1L, null)).isEqualTo(there);
        }
    }

    @Test
    void map_isOutsideTheHeap() {
        long there;
        {
            ChronicleMapBuilder<Long, Long> builder = ChronicleMapBuilder.of(Long.class, Long.class).name("stock");
            try (ChronicleMap<Long, Long> map = builder.entries(1_000).create()) {
                map.put(1L, 10L);
                there = map.get(1L);
            }
        }
        try (LongLongMap map = LongLongMap.owning(MallocArena::ofConfined)) {
            map.put(1, 10);
            assertThat(map.get(1, -1)).isEqualTo(there);
        }
    }
}
