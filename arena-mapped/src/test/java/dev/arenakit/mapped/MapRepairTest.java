package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests maps that were open when the machine failed.
class MapRepairTest extends InDirectory {
    private static final NumberedStructure.Kind MAP = NumberedStructure.Kind.LONG_MAP;
    private static final StoredEntries.Kind STORED = StoredEntries.Kind.LONG_MAP;

    private final Path copy = directory.resolve("copy");
    private final NumberedStructure.Model model = new NumberedStructure.Model();
    /// All entries that were ever in the map.
    private final Set<Map.Entry<Integer, Long>> put = new HashSet<>();

    @Test
    void open_afterTheMachineFailed_isRefusedUntilRepaired() throws IOException {
        using(TestFileSystem.smallStructures(base).boot(1).build(),
                arena -> change(MAP.open(arena), 10_000, 2_000, 1));
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            change(MAP.open(arena), 1, 1, 2);
            copyImage();
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> MAP.open(arena))
                    .withMessageContaining("structures().repair");
            assertThat(arena.structures().repair(TestTree.NAME))
                    .isEqualTo(new StructureRepair(model.contents().size(), 0));
            assertThat(MAP.open(arena).contents()).isEqualTo(model.contents());
            assertThat(arena.structures().repair(TestTree.NAME)).isEqualTo(new StructureRepair(0, 0));
            change(MAP.open(arena), 10_000, 3_000, 3);
        }
        assertContents(copy, 3);
    }

    @Test
    void open_afterItWasClosedAndTheMachineFailed_isComplete() {
        using(TestFileSystem.smallStructures(base).boot(1).build(),
                arena -> change(MAP.open(arena), 1_000, 200, 1));
        assertContents(base, 2);
    }

    /// The kernel has written the record of a larger size, and neither the size of the file nor the changes.
    @Test
    void repair_theFileIsSmallerThanItsRecord_keepsWhatIsThere() throws IOException {
        TestFileSystem.assumeHoles(directory);
        byte[] forced;
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            NumberedStructure map = MAP.open(arena);
            map.put(-1, -1);
            arena.force();
            forced = Files.readAllBytes(ImageFiles.data(base, 0));
            change(map, 1_000, 500, 1);
            assertThat(Files.size(ImageFiles.data(base, 0))).isGreaterThan(forced.length);
            copyImage();
        }
        Files.write(ImageFiles.data(copy, 0), forced);
        try (ArenaImage image = ArenaImage.open(copy); Arena arena = Arena.ofConfined()) {
            assertThatIllegalStateException().isThrownBy(() -> MAP.open(image, arena))
                    .withMessageContaining("structures().repair");
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThat(arena.structures().repair(TestTree.NAME)).isEqualTo(new StructureRepair(1, 0));
            assertThat(MAP.open(arena).contents()).containsOnly(Map.entry(-1, -1L));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void repair_pagesOfTwoTimes_keepsNothingFalse(long seed) throws IOException {
        repairMixed(seed);
    }

    @Test
    @Tag("slow")
    void repair_pagesOfTwoTimes_fiftyTimes_keepsNothingFalse() throws IOException {
        for (long seed = 10; seed < 60; seed++) {
            repairMixed(seed);
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    private void repairMixed(long seed) throws IOException {
        model.contents().clear();
        put.clear();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] earlier;
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            // The number of keys decides how often the table is replaced between both times.
            int keys = 50 << random.nextInt(7);
            change(MAP.open(arena), random.nextInt(5_000), keys, seed);
            earlier = Files.readAllBytes(ImageFiles.data(base, 0));
            change(MAP.open(arena), 1 + random.nextInt(5_000), keys * (1 + random.nextInt(3)), seed + 1);
            copyImage();
        }
        try (DamagedImage image = new DamagedImage(copy)) {
            image.mix(earlier, random);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> MAP.open(arena));
            StructureRepair repair = arena.structures().repair(TestTree.NAME);
            NumberedStructure map = MAP.open(arena);
            Map<Integer, Long> kept = map.contents();
            assertThat(put).as("seed=%d", seed).containsAll(kept.entrySet());
            assertThat(map.size()).isEqualTo(kept.size()).isEqualTo(repair.kept());
            model.contents().clear();
            model.contents().putAll(kept);
            change(map, 3_000, 1_000, seed);
            assertThat(map.contents()).isEqualTo(model.contents());
        }
        assertContents(copy, 3);
    }

    /// The check of a map of longs covers a group of up to three pairs.
    @Test
    void repair_damagedEntry_dropsIt() throws IOException {
        StoredEntries.fill(base, STORED, 1_000);
        long value;
        try (ArenaImage opened = ArenaImage.open(base, 1)) {
            ImageEntries.Cursor cursor = StoredEntries.entries(opened).cursor();
            assertThat(cursor.next()).isTrue();
            value = cursor.position(0) + 8;
        }
        StoredEntries.store(base, value, 4711);
        long size;
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            StructureRepair repair = arena.structures().repair(StoredEntries.NAME);
            assertThat(repair.dropped()).isBetween(1L, 3L);
            assertThat(repair.kept()).isEqualTo(1_000 - repair.dropped());
            size = repair.kept();
            STORED.open(arena).put().accept(5_000);
            assertThat(arena.structures().repair(StoredEntries.NAME)).isEqualTo(new StructureRepair(0, 0));
        }
        try (ArenaImage opened = ArenaImage.open(base, 1)) {
            assertThat(StoredEntries.problems(StoredEntries.entries(opened))).isEmpty();
            assertThat(StoredEntries.entries(opened).count()).isEqualTo(size + 1);
        }
    }

    /// A search ends at a group that no entry has passed.
    @Test
    void check_groupThatEntriesHavePassedIsNotMarked_saysThatTheyCannotBeFound() throws IOException {
        StoredEntries.fill(base, STORED, 150);
        long root;
        try (DamagedImage image = new DamagedImage(base)) {
            root = image.number(LongGroups.ROOT);
        }
        int passed = 0;
        for (int i = 0; i < 1 << LongGroups.log(root); i++) {
            long group = LongGroups.offset(root) + i * LongGroups.GROUP_BYTE_SIZE;
            long tags;
            try (DamagedImage image = new DamagedImage(base)) {
                tags = image.number(group);
            }
            if (LongGroups.isPassed(tags)) {
                passed++;
                StoredEntries.store(base, group, tags & ~(0xFFL << 24));
                try (ArenaImage opened = ArenaImage.open(base, 1)) {
                    assertThat(StoredEntries.problems(StoredEntries.entries(opened)))
                            .as("group=%d", i)
                            .isNotEmpty()
                            .allMatch(problem -> problem.contains("cannot be found"));
                }
                StoredEntries.store(base, group, tags);
            }
        }
        assertThat(passed).isPositive();
        try (ArenaImage opened = ArenaImage.open(base, 1)) {
            assertThat(StoredEntries.problems(StoredEntries.entries(opened))).isEmpty();
        }
    }

    /// Its owner may be changing it.
    @Test
    void repair_mapThatIsOpen_isUnchanged() throws IOException {
        StoredEntries.fill(base, STORED, 10);
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen();
                ArenaImage image = ArenaImage.open(base)) {
            StoredEntries.Structure open = STORED.open(arena);
            ImageEntries.Cursor cursor = StoredEntries.entries(image).cursor();
            assertThat(cursor.next()).isTrue();
            StoredEntries.store(base, cursor.position(0) + 8, 4711);
            assertThat(arena.structures().repair(StoredEntries.NAME)).isEqualTo(new StructureRepair(0, 0));
            open.put().accept(5_000);
        }
        using(InfiniteArena.builder(base).reopen(),
                arena -> assertThat(arena.structures().repair(StoredEntries.NAME).dropped()).isPositive());
    }

    /// Slots of another table, or a part of the slots, would seem to be all slots.
    @Test
    void repair_damagedRoot_isRefusedAndChangesNothing() throws IOException {
        StoredEntries.fill(base, STORED, 1_000);
        long root;
        try (DamagedImage image = new DamagedImage(base)) {
            root = image.number(LongGroups.ROOT);
        }
        for (int bit = 0; bit < Long.SIZE; bit++) {
            long damaged = root ^ 1L << bit;
            StoredEntries.store(base, LongGroups.ROOT, damaged);
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                assertThatIllegalStateException().isThrownBy(() -> arena.structures().repair(StoredEntries.NAME))
                        .withMessageContaining("root=0x" + Long.toHexString(damaged) + "; nothing was changed");
                assertThatIllegalStateException().isThrownBy(() -> STORED.open(arena));
            }
        }
        StoredEntries.store(base, LongGroups.ROOT, root);
        using(ArenaImage.open(base), image -> StoredEntries.assertEntries(StoredEntries.entries(image), STORED, 1_000));
    }

    private void assertContents(Path image, long boot) {
        using(InfiniteArena.builder(image).boot(boot).reopen(),
                arena -> assertThat(MAP.open(arena).contents()).isEqualTo(model.contents()));
    }

    private void change(NumberedStructure map, int times, int keys, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < times; i++) {
            int key = random.nextInt(keys);
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

    private void copyImage() throws IOException {
        using(ArenaImage.open(base), image -> image.copyTo(copy));
    }
}
