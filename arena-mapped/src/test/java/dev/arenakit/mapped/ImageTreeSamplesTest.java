package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests searches in pages of longs: at each number of entries of a page, and at each boundary of a line of keys.
class ImageTreeSamplesTest extends InDirectory {
    ImageTreeSamplesTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void get_eachNumberOfEntries_findsAllKeysAndNoOthers() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageLongTree tree = arena.longTree("tree");
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
    }

    @Test
    @Tag("full")
    void changes_ofTheLargestAndTheSmallestKeys_agreeWithATreeMap() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageLongTree tree = arena.longTree("tree");
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
    }

    record Wide(@Length(936) String text) {}

    record Wider(@Length(5_000) String text) {}

    @Test
    void put_wideValues_pagesHaveRoomForFourOfThem() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            ImageTree<Long, Wide> wide = arena.tree("wide", Long.class, Wide.class);
            ImageTree<Long, Wider> wider = arena.tree("wider", Long.class, Wider.class);
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
    }

    private static void checkCursor(ImageLongTree tree, NavigableMap<Long, Long> model, long key) {
        ImageLongTree.Cursor cursor = tree.cursor();
        assertThat(cursor.floor(key) ? (Long) cursor.key() : null).isEqualTo(model.floorKey(key));
        assertThat(cursor.lower(key) ? (Long) cursor.key() : null).isEqualTo(model.lowerKey(key));
        assertThat(cursor.ceiling(key) ? (Long) cursor.key() : null).isEqualTo(model.ceilingKey(key));
        assertThat(cursor.higher(key) ? (Long) cursor.key() : null).isEqualTo(model.higherKey(key));
    }
}
