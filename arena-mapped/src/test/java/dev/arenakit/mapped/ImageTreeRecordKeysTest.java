package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Tests trees whose keys are records, beside a sorted map with a comparator.
class ImageTreeRecordKeysTest extends InDirectory {
    ImageTreeRecordKeysTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    enum Color {
        RED, GREEN, BLUE
    }

    private static final List<Color> COLORS = List.of(Color.values());

    record Point(int x, float y) {}

    record Key(byte small, double number, boolean isSet, Color color, @Length(6) String text, Point point, char letter,
            short last, long large) {
        private static final Comparator<Key> ORDER = Comparator.comparingInt(Key::small)
                .thenComparingDouble(Key::number)
                .thenComparing(Key::isSet, Boolean::compare)
                .thenComparing(Key::color)
                .thenComparing(Key::text)
                .thenComparing(Key::point, Comparator.comparingInt(Point::x).thenComparingDouble(Point::y))
                .thenComparingInt(Key::letter)
                .thenComparingInt(Key::last)
                .thenComparingLong(Key::large);

        static Key random(Random random) {
            double[] doubles = {0.0, -0.0, 1.5, -1.5, Double.NaN, Double.NEGATIVE_INFINITY, Double.MIN_VALUE,
                    random.nextGaussian()};
            float[] floats = {0f, -0f, 3f, -3f, Float.NaN, Float.POSITIVE_INFINITY, -Float.MIN_VALUE};
            return new Key((byte) (random.nextInt(3) - 1), doubles[random.nextInt(doubles.length)],
                    random.nextBoolean(), COLORS.get(random.nextInt(3)), "abcdef".substring(random.nextInt(6)),
                    new Point(random.nextInt(3) - 1, floats[random.nextInt(floats.length)]),
                    (char) ('y' + random.nextInt(2) * 60_000), (short) (random.nextInt(3) - 1),
                    random.nextLong());
        }
    }

    @Test
    void entries_randomKeys_areInTheOrderOfTheirComponents() throws IOException {
        Random random = new Random(1);
        NavigableMap<Key, Long> model = new TreeMap<>(Key.ORDER);
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            ImageTree<Key, Long> tree = arena.tree("tree", Key.class, Long.class);
            for (long i = 0; i < 5_000; i++) {
                Key key = Key.random(random);
                assertThat(tree.put(key, i)).isEqualTo(model.put(key, i) == null);
            }
            assertThat(entries(tree)).isEqualTo(List.copyOf(model.entrySet()));
            for (int i = 0; i < 1_000; i++) {
                Key key = Key.random(random);
                assertThat(tree.floor(key).map(Map.Entry::getKey).orElse(null)).isEqualTo(model.floorKey(key));
                assertThat(tree.higher(key).map(Map.Entry::getKey).orElse(null)).isEqualTo(model.higherKey(key));
                assertThat(tree.remove(key)).isEqualTo(model.remove(key) != null);
            }
        }
        RecordMapper<Key> keys = RecordMapper.of(MethodHandles.lookup(), Key.class);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            assertThat(entries(image.tree("tree", keys, Long.class, arena))).isEqualTo(List.copyOf(model.entrySet()));
            ImageEntries stored = image.entries(image.find("tree").orElseThrow()).orElseThrow();
            assertThat(stored.type().members().getFirst().type()).isEqualTo(keys.type());
            assertThat(keysOf(stored, keys)).isEqualTo(List.copyOf(model.keySet()));
            List<String> problems = new ArrayList<>();
            assertThat(stored.check(problems::add)).isEqualTo(model.size());
            assertThat(problems).isEmpty();
        }
    }

    private static List<Key> keysOf(ImageEntries stored, RecordMapper<Key> keys) throws IOException {
        List<Key> found = new ArrayList<>();
        for (ImageEntries.Cursor cursor = stored.cursor(); cursor.next();) {
            for (int i = 0; i < cursor.count(); i++) {
                MemorySegment entry = cursor.entries().asSlice(i * stored.type().byteSize(), stored.type().byteSize());
                found.add(keys.get(entry, 0));
            }
        }
        return found;
    }

    private static List<Map.Entry<Key, Long>> entries(ImageTree<Key, Long> tree) {
        List<Map.Entry<Key, Long>> entries = new ArrayList<>();
        tree.forEach((key, value) -> entries.add(Map.entry(key, value)));
        return entries;
    }

    record WithPointer(int number, MemorySegment pointer) {}

    record TooLong(@Length(513) String text) {}

    record Long512(@Length(512) String text) {}

    @Test
    void tree_keyWithoutOrder_isRefusedAndNamed() {
        try (InfiniteArena arena = InfiniteArena.builder(base).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> arena.tree("tree", WithPointer.class, Long.class))
                    .withMessageContaining("component=WithPointer.pointer");
            assertThatIllegalArgumentException().isThrownBy(() -> arena.tree("tree", TooLong.class, Long.class))
                    .withMessageContaining("largest=512");
            ImageTree<Long512, Long> tree = arena.tree("tree", Long512.class, Long.class);
            assertThat(tree.put(new Long512("x".repeat(512)), 1L)).isTrue();
            assertThat(tree.put(new Long512("x".repeat(512)), 2L)).isFalse();
            assertThat(tree.first().orElseThrow().getValue()).isEqualTo(2);
        }
    }
}
