package dev.arenakit.mapped;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageLongMapTest extends InDirectory {
    ImageLongMapTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void operations_random_equalModel(long seed) {
        Random random = new Random(seed);
        Map<Long, Long> model = new HashMap<>();
        Path base = directory.resolve("image");
        for (int run = 0; run < 6; run++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                ImageLongMap map = arena.longMap("map");
                assertThat(contents(map)).isEqualTo(model);
                int range = 1 + random.nextInt(20_000);
                for (int i = 0; i < 20_000; i++) {
                    change(map, model, random.nextInt(range) * (seed << 32), random);
                }
                assertThat(contents(map)).isEqualTo(model);
                assertThat(map.size()).isEqualTo(model.size());
            }
        }
    }

    private static void change(ImageLongMap map, Map<Long, Long> model, long key, Random random) {
        long value = random.nextLong();
        switch (random.nextInt(6)) {
            case 0, 1 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value) == null);
            case 2 -> assertThat(map.remove(key)).isEqualTo(model.remove(key) != null);
            case 3 -> assertThat(map.addTo(key, value)).isEqualTo(model.merge(key, value, Long::sum));
            case 4 -> assertThat(map.get(key, value)).isEqualTo(model.getOrDefault(key, value));
            default -> {
                if (random.nextInt(5_000) == 0) {
                    map.clear();
                    model.clear();
                }
            }
        }
    }

    @Test
    void open_twice_isTheSameMap() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.longMap("map").put(1, 2);
            ImageLongMap other = arena.longMap("map");
            assertThat(other.get(1, 0)).isEqualTo(2);
            other.put(3, 4);
            assertThat(arena.longMap("map").size()).isEqualTo(2);
        }
    }

    @Test
    void map_ofAnImage_isReadOnlyAndSeesLaterEntries() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base);
                ArenaImage image = ArenaImage.open(base);
                Arena mapping = Arena.ofConfined()) {
            ImageLongMap map = arena.longMap("map");
            ImageLongMap read = image.longMap("map", mapping);
            for (long key = 0; key < 5_000; key++) {
                map.put(key, -key);
            }
            assertThat(contents(read)).isEqualTo(contents(map)).hasSize(5_000);
            assertThat(read.get(4_999, 0)).isEqualTo(-4_999);
            assertThat(read.size()).isEqualTo(5_000);
            assertThat(read.isReadOnly()).isTrue();
            assertThatThrownBy(() -> read.put(1, 2)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> read.remove(1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(read::clear).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void copy_ofAMapThatItsOwnerDoesNotChangeMeanwhile_isComplete() {
        Path base = directory.resolve("image");
        Path copy = directory.resolve("copy");
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.longMap("map").put(1, 2);
            copy(base, copy);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            assertThat(arena.longMap("map").get(1, 0)).isEqualTo(2);
        }
    }

    @Test
    void copy_ofAMapThatNobodyHasChangedSinceItWasClosed_isComplete() {
        Path base = directory.resolve("image");
        Path copy = directory.resolve("copy");
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            arena.longMap("map").put(1, 2);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.longMap("map").get(1, 0)).isEqualTo(2);
            copy(base, copy);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).reopen()) {
            assertThat(arena.longMap("map").get(1, 0)).isEqualTo(2);
        }
    }

    private static void copy(Path base, Path to) {
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(to);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<Long, Long> contents(ImageLongMap map) {
        Map<Long, Long> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).isNull());
        return contents;
    }
}
