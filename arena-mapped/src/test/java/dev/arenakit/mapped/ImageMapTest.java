package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Union;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ImageMapTest extends InDirectory {
    ImageMapTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    record Id(long id) {}

    record Small(@ByteSize(1) Side side, byte number) {}

    @Packed
    record Odd(byte first, int second, short third) {}

    record Text(@Length(13) String text) {}

    @Align(64)
    record Aligned(long number) {}

    record Order(Small small, @Length(20) String customer, double price, Side side) {}

    sealed interface Figure permits Circle, Square {}

    record Circle(double radius) implements Figure {}

    record Square(int side, int other) implements Figure {}

    enum Kind {
        CIRCLE, SQUARE
    }

    record Drawing(Kind kind, @Union("kind") Figure figure) {}

    @SuppressWarnings("ArrayRecordComponent") // Its methods compare the contents.
    record Large(@Length(3000) byte[] bytes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Large large && java.util.Arrays.equals(bytes, large.bytes);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(bytes);
        }
    }

    enum Side {
        BUY, SELL
    }

    /// Keys and values of a map.
    record Shape<K extends Record, V extends Record>(Class<K> keys, Class<V> values, Function<Random, K> key,
            Function<Random, V> value) {
        @Override
        public String toString() {
            return keys.getSimpleName() + " to " + values.getSimpleName();
        }
    }

    static Stream<Shape<?, ?>> shapes() {
        Function<Random, Id> id = random -> new Id(random.nextInt(5_000));
        Function<Random, Text> text = random -> new Text("key " + random.nextInt(5_000));
        Function<Random, Drawing> drawing = random -> random.nextBoolean()
                ? new Drawing(Kind.CIRCLE, new Circle(random.nextInt(1_000)))
                : new Drawing(Kind.SQUARE, new Square(random.nextInt(1_000), 1));
        Function<Random, Order> order = random -> new Order(small(random), "customer " + random.nextInt(), 1.5,
                Side.SELL);
        Function<Random, Large> large = random -> {
            byte[] bytes = new byte[3000];
            random.nextBytes(bytes);
            return new Large(bytes);
        };
        return Stream.of(
                new Shape<>(Id.class, Id.class, id, random -> new Id(random.nextLong())),
                new Shape<>(Id.class, Order.class, id, order),
                new Shape<>(Small.class, Odd.class, ImageMapTest::small, ImageMapTest::odd),
                new Shape<>(Odd.class, Small.class, ImageMapTest::odd, ImageMapTest::small),
                new Shape<>(Text.class, Text.class, text, text),
                new Shape<>(Drawing.class, Drawing.class, drawing, drawing),
                new Shape<>(Aligned.class, Odd.class, random -> new Aligned(random.nextInt(3_000)), ImageMapTest::odd),
                new Shape<>(Odd.class, Aligned.class, ImageMapTest::odd, random -> new Aligned(random.nextLong())),
                new Shape<>(Id.class, Large.class, random -> new Id(random.nextInt(300)), large));
    }

    private static Small small(Random random) {
        return new Small(random.nextBoolean() ? Side.BUY : Side.SELL, (byte) random.nextInt());
    }

    private static Odd odd(Random random) {
        return new Odd((byte) random.nextInt(), random.nextInt(30), (short) random.nextInt(4));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void operations_random_equalModel(Shape<?, ?> shape) {
        checkAgainstModel(shape, 1);
    }

    private <K extends Record, V extends Record> void checkAgainstModel(Shape<K, V> shape, long seed) {
        Random random = new Random(seed);
        Map<K, V> model = new HashMap<>();
        for (int run = 0; run < 4; run++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                ImageMap<K, V> map = arena.map("map", shape.keys(), shape.values());
                assertThat(contents(map)).isEqualTo(model);
                for (int i = 0; i < 1_500; i++) {
                    change(map, model, shape, random);
                }
                assertThat(contents(map)).isEqualTo(model);
                assertThat(map.size()).isEqualTo(model.size());
            }
        }
    }

    private static <K extends Record, V extends Record> void change(ImageMap<K, V> map, Map<K, V> model,
            Shape<K, V> shape, Random random) {
        K key = shape.key().apply(random);
        V value = shape.value().apply(random);
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value) == null);
            case 3 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value) == null);
            case 4 -> assertThat(map.remove(key)).isEqualTo(model.remove(key) != null);
            case 5 -> assertThat(map.get(key, value)).isEqualTo(model.getOrDefault(key, value));
            case 6 -> assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
            default -> {
                if (random.nextInt(300) == 0) {
                    map.clear();
                    model.clear();
                } else if (random.nextInt(50) == 0) {
                    int few = random.nextInt();
                    long before = model.size();
                    model.entrySet().removeIf(entry -> (entry.getKey().hashCode() ^ few) % 4 == 0);
                    assertThat(map.removeIf((k, _) -> (k.hashCode() ^ few) % 4 == 0)).isEqualTo(before - model.size());
                }
            }
        }
    }

    @Test
    void keyThatDoesNotFit_isAbsent_andIsNotPut() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageMap<Text, Id> map = arena.map("map", Text.class, Id.class);
            Text tooLong = new Text("longer than thirteen bytes");
            map.put(new Text("longer than t"), new Id(1));
            assertThat(map.get(tooLong, new Id(2))).isEqualTo(new Id(2));
            assertThat(map.containsKey(tooLong)).isFalse();
            assertThat(map.remove(tooLong)).isFalse();
            assertThatThrownBy(() -> map.put(tooLong, new Id(3))).isInstanceOf(IllegalArgumentException.class);
            assertThat(contents(map)).isEqualTo(Map.of(new Text("longer than t"), new Id(1)));
        }
    }

    @Test
    @SuppressWarnings("NullAway") // This is what the test is about.
    void map_null_isRefused() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageMap<Id, Id> map = arena.map("map", Id.class, Id.class);
            assertThatThrownBy(() -> map.put(null, new Id(1))).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.put(new Id(1), null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> map.containsKey(null)).isInstanceOf(NullPointerException.class);
            assertThat(map.get(new Id(1), null)).isNull();
            assertThat(map.size()).isZero();
        }
    }

    @Test
    void open_withAnotherType_namesTheMember() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.map("map", Id.class, Order.class)
                    .put(new Id(1), new Order(new Small(Side.BUY, (byte) 1), "", 1,
                            Side.BUY));
            assertThatThrownBy(() -> arena.map("map", Id.class, Text.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("value");
            assertThatThrownBy(() -> arena.longMap("map")).isInstanceOf(IllegalStateException.class);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatThrownBy(() -> arena.map("map", Text.class, Order.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("key");
            assertThat(arena.map("map", Id.class, Order.class).size()).isEqualTo(1);
        }
    }

    @Test
    void open_twice_isTheSameMap() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.map("map", Id.class, Id.class).put(new Id(1), new Id(2));
            ImageMap<Id, Id> other = arena.map("map", RecordMapper.of(Id.class), RecordMapper.of(Id.class));
            assertThat(other.get(new Id(1), new Id(0))).isEqualTo(new Id(2));
            other.put(new Id(3), new Id(4));
            assertThat(arena.map("map", Id.class, Id.class).size()).isEqualTo(2);
        }
    }

    @Test
    void accessor_thatChangesTheMap_doesNotDisturbTheCall() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageMap<Nested, Id> map = arena.map("map", Nested.class, Id.class);
            Nested.accessor = number -> {
                if (number < 10) {
                    map.put(new Nested(number + 1), new Id(-number));
                }
            };
            map.put(new Nested(1), new Id(1));
            Nested.accessor = _ -> {};
            List<Long> found = new ArrayList<>();
            map.forEach((key, _) -> found.add(key.number));
            assertThat(found).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
            assertThat(map.get(new Nested(1), new Id(0))).isEqualTo(new Id(1));
        } finally {
            Nested.accessor = _ -> {};
        }
    }

    record Nested(long number) {
        static java.util.function.LongConsumer accessor = _ -> {};

        @Override
        public long number() {
            accessor.accept(number);
            return number;
        }
    }

    @Test
    void put_again_usesFreedEntries() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageMap<Id, Id> map = arena.map("map", Id.class, Id.class);
            for (long id = 0; id < 10_000; id++) {
                map.put(new Id(id % 100), new Id(id));
                map.remove(new Id(id % 50));
            }
            // The header, the table, and a page of entries.
            assertThat(byteSize()).isEqualTo(3 * 4096);
        }
    }

    @Test
    void map_ofAnImage_isReadOnlyAndSeesLaterEntries() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base);
                ArenaImage image = ArenaImage.open(base);
                Arena mapping = Arena.ofConfined()) {
            ImageMap<Id, Id> map = arena.map("map", Id.class, Id.class);
            ImageMap<Id, Id> read = image.map("map", Id.class, Id.class, mapping);
            for (long id = 0; id < 5_000; id++) {
                map.put(new Id(id), new Id(-id));
            }
            assertThat(contents(read)).isEqualTo(contents(map)).hasSize(5_000);
            assertThat(read.get(new Id(4_999), new Id(0))).isEqualTo(new Id(-4_999));
            assertThat(read.size()).isEqualTo(5_000);
            assertThat(read.isReadOnly()).isTrue();
            assertThatThrownBy(() -> read.put(new Id(1), new Id(2))).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> read.remove(new Id(1))).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(read::clear).isInstanceOf(UnsupportedOperationException.class);
        }
    }

    private long byteSize() {
        try (ArenaImage image = ArenaImage.open(base); Stream<Allocation> all = image.allocations()) {
            return all.mapToLong(Allocation::byteSize).sum();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static <K extends Record, V extends Record> Map<K, V> contents(ImageMap<K, V> map) {
        Map<K, V> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).isNull());
        return contents;
    }
}
