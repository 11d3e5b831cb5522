package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests maps that were open when the machine failed.
class MapRepairTest extends InDirectory {
    private final Path copy = directory.resolve("copy");
    private final NumberedStructure.Model model = new NumberedStructure.Model();
    /// All entries that were ever in the map.
    private final Set<Map.Entry<Integer, Long>> put = new HashSet<>();

    MapRepairTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    private static Stream<NumberedStructure.Kind> maps() {
        return Stream.of(NumberedStructure.Kind.LONG_MAP, NumberedStructure.Kind.MAP);
    }

    private static Stream<Arguments> mapsAndSeeds() {
        return maps().flatMap(kind -> IntStream.rangeClosed(1, 6).mapToObj(seed -> Arguments.of(kind, seed)));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void open_afterTheMachineFailed_isRefusedUntilRepaired(NumberedStructure.Kind kind) throws IOException {
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            change(kind.open(arena), 10_000, 2_000, 1);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            change(kind.open(arena), 1, 1, 2);
            copyImage();
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> kind.open(arena))
                    .withMessageContaining("repairStructure");
            assertThat(arena.repairStructure(TestTree.NAME))
                    .isEqualTo(new StructureRepair(model.contents().size(), 0));
            assertThat(kind.open(arena).contents()).isEqualTo(model.contents());
            assertThat(arena.repairStructure(TestTree.NAME)).isEqualTo(new StructureRepair(0, 0));
            change(kind.open(arena), 10_000, 3_000, 3);
        }
        assertContents(kind, copy, 3);
    }

    @ParameterizedTest
    @MethodSource("maps")
    void open_afterItWasClosedAndTheMachineFailed_isComplete(NumberedStructure.Kind kind) {
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            change(kind.open(arena), 1_000, 200, 1);
        }
        assertContents(kind, base, 2);
    }

    /// The kernel has written the record of a larger size, and not yet the size of the file. Entries that were added
    /// behind its end are lost.
    @Test
    void repair_theFileIsSmallerThanItsRecord_keepsWhatIsThere() throws IOException {
        NumberedStructure.Kind kind = NumberedStructure.Kind.MAP;
        long forced;
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            NumberedStructure map = kind.open(arena);
            map.put(-1, -1);
            arena.force();
            forced = Files.size(ImageFiles.data(base, 0));
            change(map, 300, 250, 1);
            assertThat(Files.size(ImageFiles.data(base, 0))).isGreaterThan(forced);
            copyImage();
        }
        try (FileChannel file = FileChannel.open(ImageFiles.data(copy, 0), StandardOpenOption.WRITE)) {
            file.truncate(forced);
        }
        try (ArenaImage image = ArenaImage.open(copy); Arena arena = Arena.ofConfined()) {
            assertThatIllegalStateException().isThrownBy(() -> kind.open(image, arena))
                    .withMessageContaining("repairStructure");
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThat(arena.repairStructure(TestTree.NAME).kept()).isPositive();
            Map<Integer, Long> kept = kind.open(arena).contents();
            assertThat(kept.remove(-1)).isEqualTo(-1);
            assertThat(model.contents()).containsAllEntriesOf(kept);
        }
    }

    @ParameterizedTest
    @MethodSource("mapsAndSeeds")
    void repair_pagesOfTwoTimes_keepsNothingFalse(NumberedStructure.Kind kind, int seed) throws IOException {
        repairMixed(kind, seed);
    }

    @ParameterizedTest
    @MethodSource("maps")
    @Tag("slow")
    void repair_pagesOfTwoTimes_fiftyTimes_keepsNothingFalse(NumberedStructure.Kind kind) throws IOException {
        for (int seed = 10; seed < 60; seed++) {
            repairMixed(kind, seed);
            TestFileSystem.remove(directory);
            Files.createDirectory(directory);
        }
    }

    private void repairMixed(NumberedStructure.Kind kind, int seed) throws IOException {
        model.contents().clear();
        put.clear();
        SplittableRandom random = new SplittableRandom(seed);
        byte[] earlier;
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).build()) {
            // The number of keys decides how often the table is replaced between both times.
            int keys = 50 << random.nextInt(7);
            change(kind.open(arena), random.nextInt(5_000), keys, seed);
            earlier = Files.readAllBytes(ImageFiles.data(base, 0));
            change(kind.open(arena), 1 + random.nextInt(5_000), keys * (1 + random.nextInt(3)), seed + 1);
            copyImage();
        }
        try (DamagedImage image = new DamagedImage(copy)) {
            image.mix(earlier, random);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(2).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> kind.open(arena));
            StructureRepair repair = arena.repairStructure(TestTree.NAME);
            NumberedStructure map = kind.open(arena);
            Map<Integer, Long> kept = map.contents();
            assertThat(put).as("seed=%d", seed).containsAll(kept.entrySet());
            assertThat(map.size()).isEqualTo(kept.size()).isEqualTo(repair.kept());
            model.contents().clear();
            model.contents().putAll(kept);
            change(map, 3_000, 1_000, seed);
            assertThat(map.contents()).isEqualTo(model.contents());
        }
        assertContents(kind, copy, 3);
    }

    /// The check of a map of longs covers a group of up to three pairs.
    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "MAP"})
    void repairStructure_damagedEntry_dropsIt(StoredEntries.Kind kind) throws IOException {
        StoredEntries.fill(base, kind, 1_000);
        assertDamagedEntryIsDropped(kind, base, 1);
        if (kind == StoredEntries.Kind.MAP) {
            assertDamagedEntryIsDropped(kind, StoredEntries.killed(directory.resolve("other"), kind, 1_000),
                    StoredEntries.BOOT);
        }
    }

    private static void assertDamagedEntryIsDropped(StoredEntries.Kind kind, Path image, long boot)
            throws IOException {
        long value;
        try (ArenaImage opened = ArenaImage.open(image, boot)) {
            ImageEntries.Cursor cursor = StoredEntries.entries(opened).cursor();
            assertThat(cursor.next()).isTrue();
            value = cursor.position(0) + (kind == StoredEntries.Kind.MAP ? 16 : 8);
        }
        StoredEntries.store(image, value, 4711);
        long size;
        try (InfiniteArena arena = InfiniteArena.builder(image).boot(boot).reopen()) {
            StructureRepair repair = arena.repairStructure(StoredEntries.NAME);
            assertThat(repair.dropped()).isBetween(1L, kind == StoredEntries.Kind.MAP ? 1L : 3L);
            assertThat(repair.kept()).isEqualTo(1_000 - repair.dropped());
            size = repair.kept();
            kind.open(arena).put().accept(5_000);
            assertThat(arena.repairStructure(StoredEntries.NAME)).isEqualTo(new StructureRepair(0, 0));
        }
        try (ArenaImage opened = ArenaImage.open(image, boot)) {
            assertThat(StoredEntries.problems(StoredEntries.entries(opened))).isEmpty();
            assertThat(StoredEntries.entries(opened).count()).isEqualTo(size + 1);
        }
    }

    /// Its owner may be changing it.
    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "MAP"})
    void repairStructure_mapThatIsOpen_isUnchanged(StoredEntries.Kind kind) throws IOException {
        StoredEntries.fill(base, kind, 10);
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen();
                ArenaImage image = ArenaImage.open(base)) {
            StoredEntries.Structure open = kind.open(arena);
            ImageEntries.Cursor cursor = StoredEntries.entries(image).cursor();
            assertThat(cursor.next()).isTrue();
            StoredEntries.store(base, cursor.position(0) + (kind == StoredEntries.Kind.MAP ? 16 : 8), 4711);
            assertThat(arena.repairStructure(StoredEntries.NAME)).isEqualTo(new StructureRepair(0, 0));
            open.put().accept(5_000);
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.repairStructure(StoredEntries.NAME).dropped()).isPositive();
        }
    }

    /// Slots of another table, or a part of the slots, would seem to be all slots.
    @ParameterizedTest
    @EnumSource(names = {"LONG_MAP", "MAP"})
    void repairStructure_damagedRoot_isRefusedAndChangesNothing(StoredEntries.Kind kind) throws IOException {
        StoredEntries.fill(base, kind, 1_000);
        long root;
        try (DamagedImage image = new DamagedImage(base)) {
            root = image.number(TagGroups.ROOT);
        }
        long smaller = TagGroups.root(root, TagGroups.offset(root), TagGroups.log(root) - 1);
        for (long damaged : new long[]{TagGroups.root(root, 4096, 6), smaller}) {
            StoredEntries.store(base, TagGroups.ROOT, damaged);
            try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
                assertThatIllegalStateException().isThrownBy(() -> arena.repairStructure(StoredEntries.NAME))
                        .withMessageContaining("nothing was changed")
                        .withMessageContaining("table=" + TagGroups.offset(damaged));
                assertThatIllegalStateException().isThrownBy(() -> kind.open(arena));
            }
        }
        StoredEntries.store(base, TagGroups.ROOT, root);
        try (ArenaImage image = ArenaImage.open(base)) {
            StoredEntries.assertEntries(StoredEntries.entries(image), kind, 1_000);
        }
    }

    private void assertContents(NumberedStructure.Kind kind, Path image, long boot) {
        try (InfiniteArena arena = InfiniteArena.builder(image).boot(boot).reopen()) {
            assertThat(kind.open(arena).contents()).isEqualTo(model.contents());
        }
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
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(copy);
        }
    }
}
