package dev.arenakit.mapped;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/// Compares trees with maps of the JDK under operations from a seed.
class ImageTreeModelTest extends InDirectory {
    private static final int RUNS = 6;

    ImageTreeModelTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void longTree_randomOperations_equalsModel(long seed) {
        Random random = new Random(seed);
        NavigableMap<Long, Long> model = new TreeMap<>();
        for (int run = 0; run < RUNS; run++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                ImageLongTree tree = arena.longTree("tree");
                assertThat(contents(tree)).isEqualTo(List.copyOf(model.entrySet()));
                int range = 1 + random.nextInt(20_000);
                // In some runs, more is removed than added.
                int added = random.nextInt(5);
                for (int i = 0; i < 20_000; i++) {
                    change(arena, tree, model, (random.nextInt(range) - range / 2) * (1L << (seed * 20)), added,
                            random);
                }
                assertThat(contents(tree)).isEqualTo(List.copyOf(model.entrySet()));
                assertThat(tree.size()).isEqualTo(model.size());
            }
        }
    }

    private static void change(InfiniteArena arena, ImageLongTree tree, NavigableMap<Long, Long> model, long key,
            int added, Random random) {
        long value = random.nextLong();
        switch (random.nextInt(14)) {
            case 0, 1, 2, 3 -> {
                if (added > random.nextInt(4)) {
                    assertThat(tree.put(key, value)).isEqualTo(model.put(key, value) == null);
                } else {
                    assertThat(tree.remove(key)).isEqualTo(model.remove(key) != null);
                }
            }
            case 4 -> assertThat(tree.addTo(key, value)).isEqualTo(model.merge(key, value, Long::sum));
            case 5 -> assertThat(tree.get(key, value)).isEqualTo(model.getOrDefault(key, value));
            case 6 -> assertThat(tree.containsKey(key)).isEqualTo(model.containsKey(key));
            case 7 -> assertThat(at(tree, cursor -> cursor.floor(key))).isEqualTo(model.floorEntry(key));
            case 8 -> assertThat(at(tree, cursor -> cursor.ceiling(key))).isEqualTo(model.ceilingEntry(key));
            case 9 -> assertThat(at(tree, cursor -> cursor.lower(key))).isEqualTo(model.lowerEntry(key));
            case 10 -> assertThat(at(tree, cursor -> cursor.higher(key))).isEqualTo(model.higherEntry(key));
            case 11 -> assertThat(at(tree, ImageLongTree.Cursor::first)).isEqualTo(model.firstEntry());
            case 12 -> assertThat(at(tree, ImageLongTree.Cursor::last)).isEqualTo(model.lastEntry());
            default -> changeRarely(arena, tree, model, key, random);
        }
    }

    private static void changeRarely(InfiniteArena arena, ImageLongTree tree, NavigableMap<Long, Long> model, long key,
            Random random) {
        long most = key + random.nextInt(1 << 30);
        switch (random.nextInt(100)) {
            case 0 -> {
                if (random.nextInt(20) == 0) {
                    tree.clear();
                    model.clear();
                }
            }
            case 1, 2 -> {
                List<Map.Entry<Long, Long>> found = new ArrayList<>();
                assertThat(tree.ascend(key, most, (k, v) -> found.add(Map.entry(k, v)))).isTrue();
                assertThat(found).isEqualTo(List.copyOf(model.subMap(key, true, most, true).entrySet()));
            }
            case 3, 4 -> {
                List<Map.Entry<Long, Long>> found = new ArrayList<>();
                assertThat(tree.descend(key, most, (k, v) -> found.add(Map.entry(k, v)))).isTrue();
                assertThat(found).isEqualTo(List.copyOf(
                        model.subMap(key, true, most, true).descendingMap().entrySet()));
            }
            case 5, 6, 7 -> arena.force();
            default -> {
            }
        }
    }

    private static Map.Entry<Long, Long> at(ImageLongTree tree,
            java.util.function.Predicate<ImageLongTree.Cursor> move) {
        ImageLongTree.Cursor cursor = tree.cursor();
        return move.test(cursor) ? Map.entry(cursor.key(), cursor.value()) : null;
    }

    private static List<Map.Entry<Long, Long>> contents(ImageLongTree tree) {
        List<Map.Entry<Long, Long>> contents = new ArrayList<>();
        tree.forEach((key, value) -> contents.add(Map.entry(key, value)));
        return contents;
    }
}
