package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.tree.TreeFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Tests trees with damaged pages: they are noticed, the ranges of lost keys are named, and a repair keeps all other
/// entries. After random changes of bytes, each call ends with a result or an exception.
class ImageTreeDamageTest extends InDirectory {
    private static final int KEYS = 60_000;
    private static final int FEW_KEYS = 800;
    private static final int USED = 256;
    /// An owner opens each fifth of the damaged trees. The others are read in memory, without opening an image.
    private static final int OWNED = 5;
    private int exceptions;
    private int problems;

    @ParameterizedTest
    @CsvSource({"0, false", "0, true", "1, false", "1, true", "2, false", "2, true"})
    @Tag("full")
    void repair_pageOfALevel_keepsAllOtherEntries(int level, boolean isLost) throws IOException {
        fill(1);
        damage(level, 17);
        List<String> problems = TestTree.problems(base, 1);
        assertThat(problems).anySatisfy(problem -> assertThat(problem)
                .matches("Check of a page is wrong: page=[0-9]+, level=" + level + ", lostKeys=[(\\[].*, .*\\)"));
        if (isLost) {
            lose();
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(isLost ? 2 : 1).reopen()) {
            if (isLost || level > 0) {
                assertThatIllegalStateException().isThrownBy(() -> arena.structures().longTree(TestTree.NAME))
                        .withMessageContaining("lostKeys=")
                        .withMessageContaining("structures().repair");
            }
        }
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(isLost ? 2 : 1).reopen()) {
            StructureRepair repair = arena.structures().repair(TestTree.NAME);
            assertThat(repair.lost()).hasSize(1);
            ImageLongTree tree = arena.structures().longTree(TestTree.NAME);
            assertThat(tree.size()).isEqualTo(repair.kept()).isEqualTo(KEYS - repair.dropped());
            Map<Long, Long> model = new TreeMap<>();
            for (long key = 0; key < KEYS; key++) {
                model.put(key, ~key);
            }
            model.keySet().removeIf(key -> isWithin(repair.lost().getFirst(), key));
            assertThat(contents(tree).equals(model)).isTrue();
            assertThat(model.isEmpty()).isEqualTo(level == 2);
            tree.put(-1, 1);
        }
        assertThat(TestTree.problems(base, 3)).isEmpty();
    }

    /// Pages without checks: all leaves but one are intact, also behind the wrong number of a child.
    @Test
    void repair_wrongChildAfterAKill_keepsTheLeavesBehindIt() throws IOException {
        Path copy = directory.resolve("copy");
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build();
                ArenaImage image = ArenaImage.open(base)) {
            fill(arena);
            image.copyTo(copy);
        }
        try (DamagedImage image = new DamagedImage(copy)) {
            long root = image.number(TreeFormat.LIVE + TreeFormat.ROOT);
            assertThat(TreeFormat.levels(root)).isEqualTo(3);
            long child = offset(image.number(offset(TreeFormat.page(root)) + 2176)) + 2176 + 10 * Long.BYTES;
            image.setNumber(child, image.number(child) ^ 1L << 40);
        }
        try (InfiniteArena arena = InfiniteArena.builder(copy).boot(1).reopen()) {
            StructureRepair repair = arena.structures().repair(TestTree.NAME);
            assertThat(repair.lost()).singleElement().asString().startsWith("Number of a page is damaged");
            Map<Long, Long> model = new TreeMap<>();
            for (long key = 0; key < KEYS; key++) {
                model.put(key, ~key);
            }
            model.keySet().removeIf(key -> isWithin(repair.lost().getFirst(), key));
            assertThat(repair.kept()).isEqualTo(model.size()).isEqualTo(KEYS - repair.dropped());
            assertThat(contents(arena.structures().longTree(TestTree.NAME)).equals(model)).isTrue();
        }
        assertThat(TestTree.problems(copy, 1)).isEmpty();
    }

    private static boolean isWithin(String lost, long key) {
        String range = lost.substring(lost.indexOf("lostKeys=") + 9, lost.length() - 1);
        String lower = range.substring(0, range.indexOf(", "));
        String upper = range.substring(range.indexOf(", ") + 2);
        return (lower.equals("(first") || key >= Long.parseLong(lower.substring(1)))
                && (upper.equals("last") || key < Long.parseLong(upper));
    }

    private void fill(long boot) {
        using(TestFileSystem.smallStructures(base).boot(boot).build(),
                ImageTreeDamageTest::fill);
    }

    private static void fill(InfiniteArena arena) {
        ImageLongTree tree = arena.structures().longTree(TestTree.NAME);
        for (long key = 0; key < KEYS; key++) {
            tree.put(key, ~key);
        }
    }

    /// Flips a bit of a value in a page with a level.
    private void damage(int level, long bit) throws IOException {
        try (DamagedImage image = new DamagedImage(base)) {
            long root = image.number(TreeFormat.LIVE + TreeFormat.ROOT);
            long page = TreeFormat.page(root);
            for (int at = TreeFormat.levels(root) - 1; at > level; at--) {
                // The second child.
                page = image.number(offset(page) + 2176 + 8);
            }
            long at = offset(page) + 3000;
            image.setNumber(at, image.number(at) ^ 1L << bit);
        }
    }

    private static long offset(long page) {
        return 4096 + (page - 1) * 4096;
    }

    /// Makes the closed structure look open at a failure of the machine.
    private void lose() throws IOException {
        try (DamagedImage image = new DamagedImage(base)) {
            image.setNumber(64, 1);
            image.setNumber(72, 1);
        }
    }

    private static Map<Long, Long> contents(ImageLongTree tree) {
        Map<Long, Long> contents = new TreeMap<>();
        tree.forEach(contents::put);
        return contents;
    }

    @Test
    @Tag("full")
    void asChecked_damagedLeaf_throwsInsteadOfReadingIt() throws IOException {
        fill(1);
        damage(0, 3);
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            ImageLongTree tree = image.structures(arena).longTree(TestTree.NAME);
            ImageLongTree checked = tree.asChecked();
            int refused = 0;
            int wrong = 0;
            for (long key = 0; key < KEYS; key++) {
                wrong += tree.get(key, 0) == ~key ? 0 : 1;
                try {
                    assertThat(checked.get(key, 0)).isEqualTo(~key);
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("damaged");
                    refused++;
                }
            }
            assertThat(wrong).isEqualTo(1);
            assertThat(refused).isBetween(50, 300);
            assertThatIllegalStateException().isThrownBy(() -> checked.forEach((_, _) -> {}));
        }
    }

    /// Pages that were not forced have no checks, and are read.
    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void asChecked_partOfTheTreeIsForced_readsEverything(TestTree.Kind kind) throws IOException {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).build()) {
            TestTree tree = kind.open(arena);
            for (int key = 0; key < 3_000; key++) {
                tree.put(key, key);
                if (key == 1_500) {
                    arena.force();
                }
            }
            for (int key = 0; key < 3_000; key++) {
                assertThat(kind.checked(tree).get(key)).isEqualTo(key);
            }
            assertThat(kind.checked(tree).contents()).hasSize(3_000);
        }
    }

    /// A page of the forced tree that was written again afterwards, and not its parent.
    @Test
    @Tag("full")
    void reopen_afterAFailureWithANewerPage_isRefused() throws IOException {
        fill(1);
        Path before = directory.resolve("before");
        copy(before);
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            ImageLongTree tree = arena.structures().longTree(TestTree.NAME);
            for (int i = 0; i < 5; i++) {
                for (long key = 0; key < KEYS; key += 50) {
                    tree.put(key, i);
                }
                arena.force();
            }
        }
        // All pages are newer, and the header is older.
        byte[] header = Arrays.copyOf(Files.readAllBytes(before), 4096);
        byte[] bytes = Files.readAllBytes(ImageFiles.data(base, 0));
        System.arraycopy(header, 0, bytes, 0, 4096);
        Files.write(ImageFiles.data(base, 0), bytes);
        lose();
        using(InfiniteArena.builder(base).boot(2).reopen(),
                arena -> assertThatIllegalStateException().isThrownBy(() -> arena.structures().longTree(TestTree.NAME))
                        .withMessageContaining("lostKeys="));
    }

    /// A page of the forced tree was written again, and the header with the larger generation is on the device, too.
    @Test
    @Tag("full")
    void reopen_afterAFailureWithANewerPageAndHeader_isRefused() throws IOException {
        fill(1);
        try (DamagedImage image = new DamagedImage(base)) {
            long generation = image.number(TreeFormat.LIVE + TreeFormat.GENERATION);
            image.setNumber(TreeFormat.LIVE + TreeFormat.GENERATION, generation + 5);
            image.setNumber(offset(1), generation + 3);
        }
        lose();
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(2).reopen()) {
            assertThatIllegalStateException().isThrownBy(() -> arena.structures().longTree(TestTree.NAME))
                    .withMessageContaining("lostKeys=");
            assertThat(arena.structures().repair(TestTree.NAME).lost()).hasSize(1);
        }
    }

    private void copy(Path to) throws IOException {
        Files.copy(ImageFiles.data(base, 0), to);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void repair_anyKind_keepsAllOtherEntries(TestTree.Kind kind) throws IOException {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            TestTree tree = kind.open(arena);
            for (int key = 0; key < 2_000; key++) {
                tree.put(key, key);
            }
        }
        try (DamagedImage image = new DamagedImage(base)) {
            // A leaf that is neither the first page nor the root.
            image.setNumber(offset(5) + 4000, ~image.number(offset(5) + 4000));
            // A change was interrupted, too.
            image.setNumber(StructureFormat.CHANGES, image.number(StructureFormat.CHANGES) | 1);
        }
        List<String> problems = TestTree.problems(base, 1);
        assertThat(problems).isNotEmpty();
        try (InfiniteArena arena = InfiniteArena.builder(base).boot(1).reopen()) {
            StructureRepair repair = arena.structures().repair(TestTree.NAME);
            assertThat(repair.lost()).hasSize(1);
            Map<Integer, Long> contents = kind.open(arena).contents();
            assertThat((long) contents.size()).isEqualTo(repair.kept()).isBetween(1_000L, 1_999L);
            contents.forEach((key, value) -> assertThat(value).isEqualTo(key.longValue()));
        }
        assertThat(TestTree.problems(base, 1)).isEmpty();
    }

    /// A repair of a copy names the lost keys.
    @Test
    void repair_ofACopy_namesLostKeys() throws IOException {
        fill(1);
        damage(0, 5);
        Path copy = directory.resolve("copy");
        List<String> descriptions = new ArrayList<>();
        ImageFiles.repair(base, copy).forEach(repair -> descriptions.add(repair.description()));
        assertThat(descriptions).singleElement()
                .asString()
                .contains("kept=", "lost=[Check of a page is wrong", "lostKeys=[");
        assertThat(TestTree.problems(copy, 1)).isEmpty();
        try (ArenaImage image = ArenaImage.open(copy); Arena arena = Arena.ofConfined()) {
            assertThat(image.structures(arena).longTree(TestTree.NAME).size()).isBetween(KEYS - 250L, KEYS - 50L);
        }
    }

    /// Any bit of a page, except for bits of its padding at the end, is noticed.
    @Test
    void check_anyBitOfAPage_isNoticed() throws IOException {
        using(TestFileSystem.smallStructures(base).boot(1).build(),
                arena -> arena.structures().longTree(TestTree.NAME).put(7, 8));
        for (int bit = 0; bit < 4096 * 8; bit += 37) {
            try (DamagedImage image = new DamagedImage(base)) {
                long at = 4096 + (bit / 64) * 8L;
                image.setNumber(at, image.number(at) ^ 1L << (bit % 64));
                assertThat(TestTree.problems(base, 1)).as("bit=%d", bit).isNotEmpty();
                image.setNumber(at, image.number(at));
            }
        }
        assertThat(TestTree.problems(base, 1)).isEmpty();
    }

    @ParameterizedTest
    @Tag("full")
    @EnumSource(TestTree.Kind.class)
    @Timeout(60)
    void use_afterAFewHundredMutations_answersOrThrows(TestTree.Kind kind) throws IOException {
        mutate(kind, 250);
        assertThat(exceptions).isPositive();
        assertThat(problems).isGreaterThan(25);
    }

    @ParameterizedTest
    @Tag("full")
    @EnumSource(TestTree.Kind.class)
    @Tag("slow")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void use_afterTwentyFiveThousandMutations_answersOrThrows(TestTree.Kind kind) throws IOException {
        mutate(kind, 25_000);
    }

    private void mutate(TestTree.Kind kind, int times) throws IOException {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).build()) {
            TestTree tree = kind.open(arena);
            for (int i = 0; i < FEW_KEYS; i++) {
                tree.put(i * 7 % FEW_KEYS, i);
            }
        }
        Map<Path, byte[]> original = new HashMap<>();
        try (var files = Files.list(directory)) {
            for (Path file : files.toList()) {
                original.put(file, Files.readAllBytes(file));
            }
        }
        Path data = ImageFiles.data(base, 0);
        byte[] sound = Files.readAllBytes(data);
        SplittableRandom random = new SplittableRandom(times);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(sound.length, Long.BYTES);
            for (int i = 0; i < times; i++) {
                byte[] bytes = sound.clone();
                mutate(bytes, random);
                memory.copyFrom(MemorySegment.ofArray(bytes));
                read(kind, memory, random);
                if (i % OWNED == 0) {
                    for (Map.Entry<Path, byte[]> file : original.entrySet()) {
                        Files.write(file.getKey(), file.getValue());
                    }
                    Files.write(data, bytes);
                    change(kind, random);
                }
            }
        }
    }

    private static void mutate(byte[] bytes, SplittableRandom random) {
        for (int n = random.nextInt(4); n >= 0; n--) {
            int page = random.nextInt(3) == 0 ? 0 : random.nextInt(bytes.length / 4096) * 4096;
            // Fields and slots are at the beginning.
            int at = page + random.nextInt(random.nextBoolean() ? USED : 4096);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                default -> {
                    int from = random.nextInt(bytes.length / 8) * 8;
                    System.arraycopy(bytes, from, bytes, at & -8, 8);
                }
            }
        }
    }

    private void read(TestTree.Kind kind, MemorySegment memory, SplittableRandom random) throws IOException {
        problems += TestTree.problems(memory, 1).isEmpty() ? 0 : 1;
        try {
            TestTree tree = kind.read(memory);
            run(tree::contents);
            run(() -> tree.get(random.nextInt(FEW_KEYS)));
            run(tree::descending);
        } catch (IllegalStateException e) {
            checkException(e);
        }
    }

    private void change(TestTree.Kind kind, SplittableRandom random) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            TestTree tree = kind.open(arena);
            for (int i = 0; i < 20; i++) {
                int key = random.nextInt(FEW_KEYS);
                run(() -> tree.put(key, key));
                run(() -> tree.remove(key + 1));
            }
            run(arena::force);
            for (int i = 0; i < 20; i++) {
                int key = random.nextInt(FEW_KEYS);
                run(() -> tree.remove(key));
            }
            run(tree::contents);
            run(tree::clear);
        } catch (IllegalStateException e) {
            checkException(e);
        }
    }

    private void run(Runnable action) {
        try {
            action.run();
        } catch (IllegalStateException e) {
            checkException(e);
        } catch (AssertionError | IllegalArgumentException e) {
            // A key or a value that was changed.
            exceptions++;
        }
    }

    private void checkException(IllegalStateException e) {
        exceptions++;
        assertThat(e).hasMessageMatching("(?s).*(damaged|Structure has another|Structure is not finished).*");
    }
}
