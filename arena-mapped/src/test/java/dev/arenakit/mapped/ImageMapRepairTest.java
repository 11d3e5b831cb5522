package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests maps of records that were open when the machine failed.
class ImageMapRepairTest extends InDirectory {
    private static final int PAGE = 4096;

    private final Path copy = directory.resolve("copy");
    private final Map<Key, Value> model = new HashMap<>();
    /// All entries that were ever in the map.
    private final Set<Map.Entry<Key, Value>> put = new HashSet<>();

    ImageMapRepairTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    record Key(int number) {}

    record Value(long number, @Length(40) String text) {}

    @Test
    void open_afterTheMachineFailed_isRefusedUntilRepaired() throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            change(map(arena), 10_000, 2_000, 1);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            change(map(arena), 1, 1, 2);
            copyImage();
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatThrownBy(() -> map(arena)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("repairStructure");
            assertThat(arena.repairStructure("map")).isEqualTo(new StructureRepair(model.size(), 0));
            assertThat(ImageMapTest.contents(map(arena))).isEqualTo(model);
            assertThat(arena.repairStructure("map")).isEqualTo(new StructureRepair(0, 0));
            change(map(arena), 10_000, 3_000, 3);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(3).reopen()) {
            assertThat(ImageMapTest.contents(map(arena))).isEqualTo(model);
        }
    }

    /// The kernel has written the record of a larger size, and not yet the size of the file.
    @Test
    void repair_theFileIsSmallerThanItsRecord_keepsWhatIsThere() throws IOException {
        long forced;
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            map(arena).put(new Key(-1), new Value(1, "forced"));
            arena.force();
            forced = Files.size(ImageFiles.data(base, 0));
            change(map(arena), 300, 250, 1);
            assertThat(Files.size(ImageFiles.data(base, 0))).isGreaterThan(forced);
            copyImage();
        }
        try (FileChannel file = FileChannel.open(ImageFiles.data(copy, 0), StandardOpenOption.WRITE)) {
            file.truncate(forced);
        }
        try (ArenaImage image = ArenaImage.open(copy); Arena arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> image.map("map", Key.class, Value.class, arena))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("repairStructure");
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThat(arena.repairStructure("map").kept()).isPositive();
            Map<Key, Value> kept = ImageMapTest.contents(map(arena));
            assertThat(kept).containsEntry(new Key(-1), new Value(1, "forced"));
            kept.remove(new Key(-1));
            assertThat(model).containsAllEntriesOf(kept);
        }
    }

    @Test
    void open_afterItWasClosedAndTheMachineFailed_isComplete() {
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            change(map(arena), 1_000, 200, 1);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(2).reopen()) {
            assertThat(ImageMapTest.contents(map(arena))).isEqualTo(model);
        }
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
            change(map(arena), random.nextInt(5_000), keys, seed);
            earlier = Files.readAllBytes(base.resolveSibling("memory-0"));
            change(map(arena), 1 + random.nextInt(5_000), keys * (1 + random.nextInt(3)), seed + 1);
            copyImage();
        }
        mix(earlier, random);
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatThrownBy(() -> map(arena)).isInstanceOf(IllegalStateException.class);
            StructureRepair repair = arena.repairStructure("map");
            Map<Key, Value> kept = ImageMapTest.contents(map(arena));
            assertThat(put).as("seed=%d", seed).containsAll(kept.entrySet());
            assertThat(map(arena).size()).isEqualTo(kept.size()).isEqualTo(repair.kept());
            model.clear();
            model.putAll(kept);
            change(map(arena), 3_000, 1_000, seed);
            assertThat(ImageMapTest.contents(map(arena))).isEqualTo(model);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(3).reopen()) {
            assertThat(ImageMapTest.contents(map(arena))).isEqualTo(model);
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

    private static ImageMap<Key, Value> map(InfiniteArena arena) {
        return arena.map("map", Key.class, Value.class);
    }

    private void change(ImageMap<Key, Value> map, int times, int keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < times; i++) {
            Key key = new Key(random.nextInt(keys));
            if (random.nextInt(4) == 0) {
                map.remove(key);
                model.remove(key);
            } else {
                Value value = new Value(random.nextLong(), "value " + i);
                map.put(key, value);
                model.put(key, value);
                put.add(Map.entry(key, value));
            }
        }
    }

    private void copyImage() throws IOException {
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(copy);
        }
    }
}
