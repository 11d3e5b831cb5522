package dev.arenakit.mapped;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests searches in trees: neighbours of keys, ranges in both directions, each number of entries of a page, and keys
/// that are records.
class ImageTreeNavigationTest extends InDirectory {
    private static final int ENTRIES = 3_000;
    private final InfiniteArena arena = InfiniteArena.builder(base).build();
    private final Random random = new Random(1);
    private static final List<Color> COLORS = List.of(Color.values());

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void neighbours_ofLongs_equalModel() {
        ImageLongTree tree = arena.structures().longTree("longs");
        NavigableMap<Long, Long> model = new TreeMap<>();
        expectNeighbours(tree, model, 0);
        for (int i = 0; i < ENTRIES; i++) {
            long key = random.nextLong(-10_000, 10_000);
            tree.put(key, i);
            model.put(key, (long) i);
        }
        tree.put(Long.MIN_VALUE, 1);
        model.put(Long.MIN_VALUE, 1L);
        tree.put(Long.MAX_VALUE, 2);
        model.put(Long.MAX_VALUE, 2L);
        for (long key = -11_000; key < 11_000; key += 7) {
            expectNeighbours(tree, model, key);
        }
        expectNeighbours(tree, model, Long.MIN_VALUE);
        expectNeighbours(tree, model, Long.MAX_VALUE);
    }

    private static void expectNeighbours(ImageLongTree tree, NavigableMap<Long, Long> model, long key) {
        expect(tree.containsKey(key), model.containsKey(key));
        expect(at(tree, ImageLongTree.Cursor::first), model.firstEntry());
        expect(at(tree, ImageLongTree.Cursor::last), model.lastEntry());
        expect(at(tree, cursor -> cursor.floor(key)), model.floorEntry(key));
        expect(at(tree, cursor -> cursor.lower(key)), model.lowerEntry(key));
        expect(at(tree, cursor -> cursor.ceiling(key)), model.ceilingEntry(key));
        expect(at(tree, cursor -> cursor.higher(key)), model.higherEntry(key));
        Map.Entry<Long, Long> ceiling = model.ceilingEntry(key);
        if (ceiling != null) {
            expect(at(tree, cursor -> cursor.ceiling(key) && cursor.next()), model.higherEntry(ceiling.getKey()));
            expect(at(tree, cursor -> cursor.ceiling(key) && cursor.previous()), model.lowerEntry(ceiling.getKey()));
        }
    }

    private static Map.@Nullable Entry<Long, Long> at(ImageLongTree tree, Predicate<ImageLongTree.Cursor> move) {
        ImageLongTree.Cursor cursor = tree.cursor();
        return move.test(cursor) ? Map.entry(cursor.key(), cursor.value()) : null;
    }

    @Test
    void neighbours_ofTexts_equalModel() {
        ImageTree<String, Long> tree = arena.structures().tree("texts", String.class, Long.class);
        NavigableMap<String, Long> model = new TreeMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            String key = text();
            tree.put(key, (long) i);
            model.put(key, (long) i);
        }
        expect(tree.first().orElse(null), model.firstEntry());
        expect(tree.last().orElse(null), model.lastEntry());
        for (int i = 0; i < ENTRIES; i++) {
            String key = text();
            expect(tree.get(key, -1L), model.getOrDefault(key, -1L));
            expect(tree.floor(key).orElse(null), model.floorEntry(key));
            expect(tree.lower(key).orElse(null), model.lowerEntry(key));
            expect(tree.ceiling(key).orElse(null), model.ceilingEntry(key));
            expect(tree.higher(key).orElse(null), model.higherEntry(key));
        }
    }

    /// Texts whose beginnings are equal, and some of which are empty.
    private String text() {
        return "prefix-prefix-".substring(0, random.nextInt(15)) + Integer.toString(random.nextInt(4_000), 2);
    }

    @Test
    void ranges_inBothDirections_equalModel() {
        ImageLongTree tree = arena.structures().longTree("longs");
        ImageTree<Long, Long> objects = arena.structures().tree("longs", Long.class, Long.class);
        NavigableMap<Long, Long> model = new TreeMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            long key = random.nextLong(20_000);
            tree.put(key, i);
            model.put(key, (long) i);
        }
        for (int i = 0; i < 50; i++) {
            long least = random.nextLong(-1_000, 21_000);
            long most = random.nextLong(least, 22_000);
            NavigableMap<Long, Long> range = model.subMap(least, true, most, true);
            List<Map.Entry<Long, Long>> found = new ArrayList<>();
            expect(tree.ascend(least, most, (key, value) -> found.add(Map.entry(key, value))), true);
            expect(found, List.copyOf(range.entrySet()));
            found.clear();
            expect(tree.descend(least, most, (key, value) -> found.add(Map.entry(key, value))), true);
            expect(found, List.copyOf(range.descendingMap().entrySet()));
            found.clear();
            expect(objects.ascend(least, most, (key, value) -> found.add(Map.entry(key, value))), true);
            expect(found, List.copyOf(range.entrySet()));
            found.clear();
            expect(objects.descend(least, most, (key, value) -> found.add(Map.entry(key, value))), true);
            expect(found, List.copyOf(range.descendingMap().entrySet()));
            found.clear();
            expect(tree.ascend(least, most, (key, value) -> found.add(Map.entry(key, value)) && found.size() < 5),
                    range.size() < 5);
            expect(found, List.copyOf(range.entrySet()).subList(0, Math.min(5, range.size())));
        }
    }

    @Test
    void scan_thatRemovesEntries_passesEachOnce() {
        ImageLongTree tree = arena.structures().longTree("longs");
        for (int i = 0; i < ENTRIES; i++) {
            tree.put(i, i);
        }
        long[] passed = new long[1];
        tree.forEach((key, value) -> {
            expect(key, passed[0]);
            passed[0]++;
            tree.remove(key);
        });
        assertThat(passed[0]).isEqualTo(ENTRIES);
        assertThat(tree.isEmpty()).isTrue();
    }

    @Test
    void keys_thatATreeCannotHave_areRefused() {
        ImageTree<String, Long> texts = arena.structures().tree("texts", String.class, Long.class);
        texts.put("x".repeat(512), 1L);
        assertThatIllegalArgumentException().isThrownBy(() -> texts.put("x".repeat(513), 1L))
                .withMessage("Key is too long: byteSize=513, largest=512");
        assertThatIllegalArgumentException().isThrownBy(() -> texts.put("\ud800", 1L))
                .withMessageContaining("surrogate without its pair");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arena.structures().tree("others", Integer.class, Long.class))
                .withMessageContaining("use Long, String, byte[] or a record");
        assertThat(texts.size()).isEqualTo(1);
    }

    @Test
    void open_withOtherClasses_isRefused() {
        arena.structures().tree("texts", String.class, Long.class);
        assertThatIllegalStateException().isThrownBy(() -> arena.structures().longTree("texts"));
        assertThatIllegalStateException().isThrownBy(() -> arena.structures().tree("texts", byte[].class, Long.class));
    }

    @Test
    void change_ofAReadOnlyTree_isRefused() {
        ImageLongTree tree = arena.structures().longTree("longs");
        ImageLongTree readOnly = tree.asReadOnly();
        tree.put(1, 2);
        assertThat(readOnly.get(1, 0)).isEqualTo(2);
        assertThatThrownBy(() -> readOnly.put(1, 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void cursor_atNoEntry_saysSo() {
        ImageLongTree.Cursor cursor = arena.structures().longTree("longs").cursor();
        assertThatIllegalStateException().isThrownBy(cursor::key).withMessageContaining("Cursor is at no entry");
        assertThatIllegalStateException().isThrownBy(cursor::next).withMessageContaining("Cursor is at no entry");
    }

    @Test
    void free_ofATree_leavesTheArenaUsable() {
        ImageLongTree tree = arena.structures().longTree("longs");
        tree.put(1, 2);
        arena.names().free("longs");
        arena.force();
        assertThat(arena.structures().longTree("longs").isEmpty()).isTrue();
    }

    /// An assertion that takes no time.
    private static void expect(@Nullable Object actual, @Nullable Object expected) {
        if (!java.util.Objects.equals(actual, expected)) {
            assertThat(actual).isEqualTo(expected);
        }
    }

    @Test
    void get_eachNumberOfEntries_findsAllKeysAndNoOthers() {
        ImageLongTree tree = arena.structures().longTree("tree");
        for (int count = 0; count <= 260; count++) {
            if (count > 0) {
                tree.put(10L * count, count);
            }
            for (int key = 0; key <= count + 1; key++) {
                assertThat(tree.get(10L * key, -1)).isEqualTo(key >= 1 && key <= count ? key : -1);
                assertThat(tree.get(10L * key + 5, -1)).isEqualTo(-1);
                assertThat(tree.containsKey(10L * key)).isEqualTo(key >= 1 && key <= count);
            }
        }
    }

    @Test
    @Tag("full")
    void changes_ofTheLargestAndTheSmallestKeys_agreeWithATreeMap() {
        ImageLongTree tree = arena.structures().longTree("tree");
        NavigableMap<Long, Long> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 60_000; i++) {
            long key = switch (random.nextInt(4)) {
                case 0 -> Long.MAX_VALUE - random.nextInt(400);
                case 1 -> Long.MIN_VALUE + random.nextInt(400);
                case 2 -> random.nextInt(800) - 400;
                default -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
            };
            if (random.nextInt(3) == 0) {
                assertThat(tree.remove(key)).isEqualTo(model.remove(key) != null);
            } else {
                assertThat(tree.put(key, i)).isEqualTo(model.put(key, (long) i) == null);
            }
            long sought = key + random.nextInt(3) - 1;
            assertThat(tree.get(sought, -1)).isEqualTo(model.getOrDefault(sought, -1L));
            if (i % 500 == 0) {
                checkCursor(tree, model, sought);
            }
        }
    }

    @Test
    void put_wideValues_pagesHaveRoomForFourOfThem() {
        ImageTree<Long, Wide> wide = arena.structures().tree("wide", Long.class, Wide.class);
        ImageTree<Long, Wider> wider = arena.structures().tree("wider", Long.class, Wider.class);
        for (long key = 0; key < 2_000; key++) {
            wide.put(key * 7 % 2_000, new Wide("x"));
            wider.put(key * 7 % 2_000, new Wider("y"));
        }
        assertThat(wide.size()).isEqualTo(2_000);
        for (long key = 0; key < 2_000; key++) {
            assertThat(wide.containsKey(key)).isTrue();
            assertThat(wider.containsKey(key)).isTrue();
            assertThat(wide.remove(key)).isTrue();
        }
        assertThat(wider.containsKey(2_000L)).isFalse();
    }

    private static void checkCursor(ImageLongTree tree, NavigableMap<Long, Long> model, long key) {
        ImageLongTree.Cursor cursor = tree.cursor();
        assertThat(cursor.floor(key) ? (Long) cursor.key() : null).isEqualTo(model.floorKey(key));
        assertThat(cursor.lower(key) ? (Long) cursor.key() : null).isEqualTo(model.lowerKey(key));
        assertThat(cursor.ceiling(key) ? (Long) cursor.key() : null).isEqualTo(model.ceilingKey(key));
        assertThat(cursor.higher(key) ? (Long) cursor.key() : null).isEqualTo(model.higherKey(key));
    }

    record Wide(@Length(936) String text) {}

    record Wider(@Length(5_000) String text) {}

    @Test
    void entries_randomKeys_areInTheOrderOfTheirComponents() throws IOException {
        Random random = new Random(1);
        NavigableMap<Key, Long> model = new TreeMap<>(Key.ORDER);
        Path records = directory.resolve("records");
        try (InfiniteArena owner = InfiniteArena.builder(records).build()) {
            ImageTree<Key, Long> tree = owner.structures().tree("tree", Key.class, Long.class);
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
        try (ArenaImage image = ArenaImage.open(records); Arena mapped = Arena.ofConfined()) {
            assertThat(entries(image.structures(mapped).tree("tree", keys, Long.class)))
                    .isEqualTo(List.copyOf(model.entrySet()));
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

    @Test
    void tree_keyWithoutOrder_isRefusedAndNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arena.structures().tree("tree", WithPointer.class, Long.class))
                .withMessageContaining("component=WithPointer.pointer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> arena.structures().tree("tree", TooLong.class, Long.class))
                .withMessageContaining("largest=512");
        ImageTree<Long512, Long> tree = arena.structures().tree("tree", Long512.class, Long.class);
        assertThat(tree.put(new Long512("x".repeat(512)), 1L)).isTrue();
        assertThat(tree.put(new Long512("x".repeat(512)), 2L)).isFalse();
        assertThat(tree.first().orElseThrow().getValue()).isEqualTo(2);
    }

    enum Color {
        RED, GREEN, BLUE
    }

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

    record WithPointer(int number, MemorySegment pointer) {}

    record TooLong(@Length(513) String text) {}

    record Long512(@Length(512) String text) {}
}
