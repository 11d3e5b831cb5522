package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests maps of longs whose bytes were changed.
class ImageLongMapDamageTest extends InDirectory {
    private static final int KEYS = 500;

    private final Path copy = directory.resolve("copy");
    private final RandomDamage damage = new RandomDamage();
    private int used;

    ImageLongMapDamageTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void repair_ofAPairThatDiffersFromItsCheck_dropsItsGroup() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            ImageLongMap map = arena.longMap("map");
            for (long key = 0; key < 1_000; key++) {
                map.put(key, 0x1234_5678_0000L + key);
            }
            copyImage(copy);
        }
        try (DamagedImage image = new DamagedImage(copy)) {
            long pair = pairWithValue(image, 0x1234_5678_0000L + 7);
            image.setNumber(pair + LongGroups.VALUE, 0x1_1234_5678_0000L + 7);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            StructureRepair repair = arena.repairStructure("map");
            assertThat(repair.dropped()).isBetween(1L, (long) LongGroups.SLOTS);
            assertThat(repair.kept() + repair.dropped()).isEqualTo(1_000);
            ImageLongMap map = arena.longMap("map");
            assertThat(map.get(7, -1)).isEqualTo(-1);
            assertThat(contents(map)).hasSize((int) repair.kept())
                    .allSatisfy((key, value) -> assertThat(value).isEqualTo(0x1234_5678_0000L + key));
        }
    }

    /// The last place of a value. Tables before the present one may have it, too.
    private static long pairWithValue(DamagedImage image, long value) {
        for (long at = image.byteSize() - Long.BYTES; at >= 0; at -= Long.BYTES) {
            if (image.number(at) == value) {
                return at - LongGroups.VALUE;
            }
        }
        throw new AssertionError("no such value");
    }

    @Test
    void use_withRandomBytes_returnsOrThrows() throws IOException {
        damage(500);
        assertThat(used).isPositive();
        assertThat(damage.refused()).isPositive();
    }

    @Test
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void use_withRandomBytesAHundredThousandTimes_returnsOrThrows() throws IOException {
        damage(100_000);
    }

    private void damage(int times) throws IOException {
        // The second image was killed: its pairs are counted again when it is opened.
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            change(arena.longMap("map"), 2 * KEYS, KEYS, 0);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.longMap("map").put(1, 2);
            copyImage(copy);
        }
        damage.repeat(base, copy, times, this::use);
    }

    private void use(Path damaged, int seed) throws IOException {
        try (ArenaImage image = ArenaImage.open(damaged); Arena arena = Arena.ofConfined()) {
            damage.attempt(() -> read(image.longMap("map", arena)));
        }
        InfiniteArena arena = InfiniteArena.builder(damaged).reopen();
        damage.attempt(() -> {
            ImageLongMap map = arena.longMap("map");
            read(map);
            used++;
            damage.attempt(() -> change(map, 100, 2 * KEYS, seed));
            damage.attempt(map::clear);
            damage.attempt(() -> change(map, 100, 2 * KEYS, seed));
        });
        damage.attempt(arena::close);
    }

    private void read(ImageLongMap map) {
        damage.attempt(() -> map.forEach((_, _) -> {}));
        for (int number = 0; number < KEYS; number += 3) {
            int key = number;
            damage.attempt(() -> map.get(key, 0));
        }
    }

    private static void change(ImageLongMap map, int times, int keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < times; i++) {
            long key = random.nextInt(keys);
            if (random.nextInt(4) == 0) {
                map.remove(key);
            } else {
                map.put(key, random.nextLong());
            }
        }
    }

    private static Map<Long, Long> contents(ImageLongMap map) {
        Map<Long, Long> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).isNull());
        return contents;
    }

    private void copyImage(Path to) throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(to);
        }
    }
}
