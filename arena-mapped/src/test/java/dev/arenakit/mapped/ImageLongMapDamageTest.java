package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests maps of longs whose pages are of two times, or whose bytes were changed at random.
class ImageLongMapDamageTest extends InDirectory {
    private static final int PAGE = 4096;
    private static final int KEYS = 500;

    private final Path copy = directory.resolve("copy");
    private final Map<Long, Long> model = new HashMap<>();
    /// All pairs that were ever in the map.
    private final Set<Map.Entry<Long, Long>> put = new HashSet<>();
    private int refused;
    private int used;

    ImageLongMapDamageTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void repair_pagesOfTwoTimes_keepsNothingFalse(int seed) throws IOException {
        repairMixed(seed);
    }

    @Test
    @Tag("slow")
    void repair_pagesOfTwoTimes_fiftyTimes_keepsNothingFalse() throws IOException {
        for (int seed = 10; seed < 60; seed++) {
            repairMixed(seed);
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    private void repairMixed(int seed) throws IOException {
        model.clear();
        put.clear();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] earlier;
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            // The number of keys decides how often the table is replaced between both times.
            int keys = 50 << random.nextInt(7);
            change(arena.longMap("map"), random.nextInt(5_000), keys, seed);
            earlier = Files.readAllBytes(base.resolveSibling("memory-0"));
            change(arena.longMap("map"), 1 + random.nextInt(5_000), keys * (1 + random.nextInt(3)), seed + 1);
            copyImage(copy);
        }
        mix(earlier, random);
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatThrownBy(() -> arena.longMap("map")).isInstanceOf(IllegalStateException.class);
            StructureRepair repair = arena.repairStructure("map");
            ImageLongMap map = arena.longMap("map");
            Map<Long, Long> kept = contents(map);
            assertThat(put).as("seed=%d", seed).containsAll(kept.entrySet());
            assertThat(map.size()).isEqualTo(kept.size()).isEqualTo(repair.kept());
            model.clear();
            model.putAll(kept);
            change(map, 3_000, 1_000, seed);
            assertThat(contents(map)).isEqualTo(model);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(3).reopen()) {
            assertThat(contents(arena.longMap("map"))).isEqualTo(model);
        }
    }

    /// Replaces pages of the copy by earlier pages.
    private void mix(byte[] earlier, SplittableRandom random) throws IOException {
        int isEarlier = 1 + random.nextInt(9);
        try (FileChannel later = FileChannel.open(directory.resolve("copy-0"), StandardOpenOption.WRITE)) {
            for (int at = 0; at < earlier.length; at += PAGE) {
                if (random.nextInt(10) < isEarlier) {
                    later.write(ByteBuffer.wrap(earlier, at, PAGE), at);
                }
            }
        }
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
        try (FileChannel file = FileChannel.open(directory.resolve("copy-0"), StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            long changed = pairWithValue(file, 0x1234_5678_0000L + 7);
            file.write(ByteBuffer.allocate(1).put(0, (byte) 1), changed + LongGroups.VALUE + 6);
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
    private static long pairWithValue(FileChannel file, long value) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate((int) file.size()).order(ByteOrder.LITTLE_ENDIAN);
        file.read(bytes, 0);
        for (int at = bytes.capacity() - Long.BYTES; at >= 0; at -= Long.BYTES) {
            if (bytes.getLong(at) == value) {
                return at - LongGroups.VALUE;
            }
        }
        throw new AssertionError("no such value");
    }

    /// It would count as soon as the map has got another extent.
    @Test
    void open_withAnExtentBehindAnUnusedOne_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.longMap("map").put(1, 2);
        }
        try (FileChannel file = FileChannel.open(base.resolveSibling("memory-0"), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[]{2, 0x10, 0, 0, 0, 0x68}), 1024 + 3 * 16 + 8);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatThrownBy(() -> arena.longMap("map")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("extent=3, unused=1");
        }
    }

    /// Otherwise the next table would be written over it.
    @Test
    void open_withATableInAFreeExtent_isRefused() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            for (long key = 0; key < KEYS; key++) {
                arena.longMap("map").put(key, key);
            }
        }
        try (FileChannel file = FileChannel.open(base.resolveSibling("memory-0"), StandardOpenOption.WRITE)) {
            ByteBuffer root = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            // The first table is behind the header.
            file.write(root.putLong(0, TagGroups.root(-1, StructureFormat.BYTE_SIZE, 6)), TagGroups.ROOT);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThatThrownBy(() -> arena.longMap("map")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("table=" + StructureFormat.BYTE_SIZE);
        }
    }

    @Test
    void use_withRandomBytes_returnsOrThrows() throws IOException {
        damage(500);
        assertThat(used).isPositive();
        assertThat(refused).isPositive();
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
        try (DamagedImage closedMap = new DamagedImage(base); DamagedImage killedMap = new DamagedImage(copy)) {
            for (int seed = 0; seed < times; seed++) {
                SplittableRandom random = new SplittableRandom(seed);
                DamagedImage image = random.nextBoolean() ? closedMap : killedMap;
                image.damage(random);
                use(image.base(), seed);
            }
        }
    }

    private void use(Path damaged, int seed) throws IOException {
        try (ArenaImage image = ArenaImage.open(damaged); Arena arena = Arena.ofConfined()) {
            attempt(seed, () -> read(image.longMap("map", arena), seed));
        }
        InfiniteArena arena = InfiniteArena.builder(damaged).reopen();
        attempt(seed, () -> {
            ImageLongMap map = arena.longMap("map");
            read(map, seed);
            used++;
            attempt(seed, () -> change(map, 100, 2 * KEYS, seed));
            attempt(seed, map::clear);
            attempt(seed, () -> change(map, 100, 2 * KEYS, seed));
        });
        attempt(seed, arena::close);
    }

    private void read(ImageLongMap map, int seed) {
        attempt(seed, () -> map.forEach((_, _) -> {}));
        for (int number = 0; number < KEYS; number += 3) {
            int key = number;
            attempt(seed, () -> map.get(key, 0));
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private void attempt(int seed, Action action) {
        try {
            action.run();
        } catch (IllegalStateException | IllegalArgumentException e) {
            refused++;
        } catch (RuntimeException | IOException e) {
            throw new AssertionError("seed=" + seed, e);
        }
    }

    private void change(ImageLongMap map, int times, int keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < times; i++) {
            long key = random.nextInt(keys);
            if (random.nextInt(4) == 0) {
                map.remove(key);
                model.remove(key);
            } else {
                long value = random.nextLong();
                map.put(key, value);
                model.put(key, value);
                put.add(Map.entry(key, value));
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
