package dev.arenakit.mapped;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests neighbours of keys, and ranges in both directions.
class ImageTreeNavigationTest extends InDirectory {
    private static final int ENTRIES = 3_000;

    private final InfiniteArena arena = InfiniteArena.builder(base).build();
    private final Random random = new Random(1);

    ImageTreeNavigationTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void neighbours_ofLongs_equalModel() {
        ImageLongTree tree = arena.longTree("longs");
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
        ImageTree<String, Long> tree = arena.tree("texts", String.class, Long.class);
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
        ImageLongTree tree = arena.longTree("longs");
        ImageTree<Long, Long> objects = arena.tree("longs", Long.class, Long.class);
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
        ImageLongTree tree = arena.longTree("longs");
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
        ImageTree<String, Long> texts = arena.tree("texts", String.class, Long.class);
        texts.put("x".repeat(512), 1L);
        assertThatIllegalArgumentException().isThrownBy(() -> texts.put("x".repeat(513), 1L))
                .withMessage("Key is too long: byteSize=513, largest=512");
        assertThatIllegalArgumentException().isThrownBy(() -> texts.put("\ud800", 1L))
                .withMessageContaining("surrogate without its pair");
        assertThatIllegalArgumentException().isThrownBy(() -> arena.tree("others", Integer.class, Long.class))
                .withMessageContaining("use Long, String, byte[] or a record");
        assertThat(texts.size()).isEqualTo(1);
    }

    @Test
    void open_withOtherClasses_isRefused() {
        arena.tree("texts", String.class, Long.class);
        assertThatIllegalStateException().isThrownBy(() -> arena.longTree("texts"));
        assertThatIllegalStateException().isThrownBy(() -> arena.tree("texts", byte[].class, Long.class));
    }

    @Test
    void change_ofAReadOnlyTree_isRefused() {
        ImageLongTree tree = arena.longTree("longs");
        ImageLongTree readOnly = tree.asReadOnly();
        tree.put(1, 2);
        assertThat(readOnly.get(1, 0)).isEqualTo(2);
        assertThat(readOnly.isReadOnly()).isTrue();
        assertThatThrownBy(() -> readOnly.put(1, 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void cursor_atNoEntry_saysSo() {
        ImageLongTree.Cursor cursor = arena.longTree("longs").cursor();
        assertThatIllegalStateException().isThrownBy(cursor::key).withMessageContaining("Cursor is at no entry");
        assertThatIllegalStateException().isThrownBy(cursor::next).withMessageContaining("Cursor is at no entry");
    }

    @Test
    void free_ofATree_leavesTheArenaUsable() {
        ImageLongTree tree = arena.longTree("longs");
        tree.put(1, 2);
        arena.free("longs");
        arena.force();
        assertThat(arena.longTree("longs").isEmpty()).isTrue();
    }

    /// An assertion that takes no time.
    private static void expect(@Nullable Object actual, @Nullable Object expected) {
        if (!java.util.Objects.equals(actual, expected)) {
            assertThat(actual).isEqualTo(expected);
        }
    }
}
