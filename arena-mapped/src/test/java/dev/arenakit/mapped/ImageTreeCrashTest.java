package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests trees after a failure of the machine or the death of the process. Pages of a file are from the time of the
/// last force(), or from any time later, and the tree is exactly the forced one. After a kill, it is the one after the
/// last acknowledged change, or after the next one.
class ImageTreeCrashTest extends InDirectory {
    private static final int PAGE = 4096;
    private static final int KEYS = 5_000;
    private final NavigableMap<Integer, Long> model = new TreeMap<>();

    /// The largest number of changes that are waited for before a process is killed.
    private static final int MOST_CHANGES = 3_000;
    private static final int KILL_KEYS = 30_000;

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void reopen_afterPagesWereMixed_hasTheForcedTree(TestTree.Kind kind) throws IOException {
        lose(kind, 6);
    }

    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    @Tag("slow")
    void reopen_afterPagesWereMixedTwoHundredTimes_hasTheForcedTree(TestTree.Kind kind) throws IOException {
        lose(kind, 200);
    }

    private void lose(TestTree.Kind kind, int times) throws IOException {
        Random random = new Random(times);
        Path forced = directory.resolve("forced");
        Path later = directory.resolve("later");
        for (int boot = 1; boot <= times; boot++) {
            InfiniteArena arena = TestFileSystem.smallStructures(base).boot(boot).openOrCreate();
            TestTree tree = kind.open(arena);
            assertThat(tree.contents().equals(model)).as("boot=%d", boot).isTrue();
            assertThat(tree.size()).isEqualTo(model.size());
            change(tree, model, random);
            if (random.nextInt(3) > 0) {
                arena.force();
                change(tree, model, random);
            }
            arena.force();
            copyFiles(base, forced);
            if (random.nextInt(10) > 0) {
                change(tree, new TreeMap<>(model), random);
            }
            copyFiles(base, later);
            arena.close();
            mix(forced, later, random);
            assertThat(TestTree.problems(base, boot + 1)).isEmpty();
            checkReader(kind, boot);
        }
    }

    private static void change(TestTree tree, NavigableMap<Integer, Long> model, Random random) {
        int removed = random.nextInt(5);
        int count = random.nextInt(1 << random.nextInt(13));
        for (int i = 0; i < count; i++) {
            int key = random.nextInt(KEYS);
            if (random.nextInt(5) < removed) {
                tree.remove(key);
                model.remove(key);
            } else {
                tree.put(key, i);
                model.put(key, (long) i);
            }
        }
    }

    /// A reader sees the forced tree before an owner has opened it.
    private void checkReader(TestTree.Kind kind, int boot) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            TestTree tree = kind.open(image, arena);
            assertThat(tree.contents().equals(model)).as("reader, boot=%d", boot).isTrue();
            assertThat(tree.size()).isEqualTo(model.size());
        }
    }

    private static List<Path> files(Path base) throws IOException {
        String prefix = base.getFileName().toString();
        try (var files = Files.list(base.getParent())) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix + "-")
                    || file.getFileName().toString().equals(prefix + ".catalog")).toList();
        }
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        for (Path file : files(to)) {
            Files.delete(file);
        }
        for (Path file : files(from)) {
            Files.write(renamed(file, from, to), Files.readAllBytes(file));
        }
    }

    private static Path renamed(Path file, Path from, Path to) {
        String name = file.getFileName().toString().substring(from.getFileName().toString().length());
        return to.resolveSibling(to.getFileName() + name);
    }

    /// Replaces the image by pages of two copies. The size of a file is on the device before its record is.
    private void mix(Path forced, Path later, Random random) throws IOException {
        boolean isCatalogForced = random.nextBoolean();
        for (Path file : files(later)) {
            byte[] after = Files.readAllBytes(file);
            byte[] before = Files.readAllBytes(renamed(file, later, forced));
            Path target = renamed(file, later, base);
            if (file.toString().endsWith(".catalog")) {
                Files.write(target, isCatalogForced ? before : after);
                continue;
            }
            byte[] mixed = Arrays.copyOf(before, after.length);
            int share = random.nextInt(101);
            for (int at = 0; at < after.length; at += PAGE) {
                if (random.nextInt(100) < share) {
                    System.arraycopy(after, at, mixed, at, Math.min(PAGE, after.length - at));
                }
            }
            Files.write(target, mixed);
        }
    }

    @Test
    void repair_afterAFailure_returnsTheForcedTree() {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            ImageLongTree tree = arena.structures().longTree(TestTree.NAME);
            tree.put(1, 1);
            tree.put(2, 2);
            arena.force();
            tree.put(3, 3);
            copy(base, directory.resolve("copy"));
        }
        try (InfiniteArena arena = InfiniteArena.builder(directory.resolve("copy")).boot(2).reopen()) {
            assertThat(arena.structures().repair(TestTree.NAME)).isEqualTo(new StructureRepair(2, 0));
            assertThat(arena.structures().longTree(TestTree.NAME).get(3, 0)).isZero();
            assertThat(arena.structures().longTree(TestTree.NAME).size()).isEqualTo(2);
        }
    }

    /// The kernel has written the record of a larger size, and not yet the size of the file.
    @ParameterizedTest
    @EnumSource(TestTree.Kind.class)
    void reopen_theFileIsSmallerThanItsRecord_hasTheForcedTree(TestTree.Kind kind) throws IOException {
        TestFileSystem.assumeHoles(directory);
        Path lost = directory.resolve("lost");
        long forced;
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            TestTree tree = kind.open(arena);
            change(tree, model, 0, 100);
            arena.force();
            forced = Files.size(ImageFiles.data(base, 0));
            change(tree, new TreeMap<>(), 100, KEYS);
            copyFiles(base, lost);
        }
        truncate(lost, forced);
        try (ArenaImage image = ArenaImage.open(lost); Arena arena = Arena.ofConfined()) {
            assertThat(kind.open(image, arena).contents().equals(model)).isTrue();
        }
        try (InfiniteArena arena = InfiniteArena.builder(lost).boot(2).reopen()) {
            TestTree tree = kind.open(arena);
            assertThat(tree.contents().equals(model)).isTrue();
            change(tree, model, 100, KEYS);
            assertThat(tree.contents().equals(model)).isTrue();
        }
        assertThat(TestTree.problems(lost, 2)).isEmpty();
    }

    /// The machine failed before the tree had an entry.
    @Test
    void reopen_theFileIsEmptyAndTheTreeHadNoPage_isEmpty() throws IOException {
        using(TestFileSystem.smallStructures(base).boot(1).build(),
                arena -> arena.structures().longTree(TestTree.NAME));
        truncate(base, 0);
        using(InfiniteArena.builder(base).boot(2).reopen(),
                arena -> assertThat(arena.structures().longTree(TestTree.NAME).size()).isZero());
    }

    @Test
    void reopen_theFileOfAClosedTreeIsTruncated_isRefused() throws IOException {
        TestFileSystem.assumeHoles(directory);
        using(TestFileSystem.smallStructures(base).boot(1).build(),
                arena -> arena.structures().longTree(TestTree.NAME).put(1, 1));
        truncate(base, Files.size(ImageFiles.data(base, 0)) - PAGE);
        using(InfiniteArena.builder(base).boot(2).reopen(),
                arena -> assertThatThrownBy(() -> arena.structures().longTree(TestTree.NAME))
                        .isInstanceOf(UncheckedIOException.class)
                        .hasMessageContaining("truncated"));
    }

    private static void change(TestTree tree, NavigableMap<Integer, Long> model, int from, int to) {
        for (int key = from; key < to; key++) {
            tree.put(key, key);
            model.put(key, (long) key);
        }
    }

    private static void truncate(Path base, long byteSize) throws IOException {
        TestFileSystem.truncate(ImageFiles.data(base, 0), byteSize);
    }

    private static void copy(Path base, Path to) {
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void kill_atARandomPoint_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        kill(TestTree.Kind.RECORDS, 1);
    }

    @Test
    @Tag("full")
    void kill_atTwentyRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        for (TestTree.Kind kind : TestTree.Kind.values()) {
            kill(kind, 5);
        }
    }

    @Test
    @Tag("slow")
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void kill_atFiveHundredRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        for (TestTree.Kind kind : TestTree.Kind.values()) {
            kill(kind, 125);
        }
    }

    private void kill(TestTree.Kind kind, int times) throws Exception {
        NavigableMap<Integer, Long> model = new TreeMap<>();
        Path image = directory.resolve(kind.name());
        long done = 0;
        Random random = new Random(times);
        for (int round = 0; round < times; round++) {
            long acknowledged = KilledWriter.kill(Writer.class, progress(directory, kind),
                    done + random.nextInt(MOST_CHANGES), random, directory.toString(), kind.name(),
                    Long.toString(done));
            assertThat(TestTree.problems(image, BootId.current())).isEmpty();
            try (InfiniteArena arena = InfiniteArena.builder(image).openOrCreate()) {
                done = check(kind.open(arena), model, done, acknowledged, round);
            }
            assertThat(TestTree.problems(image, BootId.current())).isEmpty();
        }
    }

    private static Path progress(Path directory, TestTree.Kind kind) {
        return directory.resolve(kind + ".progress");
    }

    /// Applies the acknowledged changes to the model, and the next one if the tree has it.
    private static long check(TestTree tree, NavigableMap<Integer, Long> model, long from, long acknowledged,
            int round) {
        for (long n = from; n < acknowledged; n++) {
            new Change(n).applyTo(model);
        }
        NavigableMap<Integer, Long> contents = tree.contents();
        assertThat(tree.size()).as("size, round=%d", round).isEqualTo(contents.size());
        long done = acknowledged;
        if (!contents.equals(model)) {
            new Change(acknowledged).applyTo(model);
            done++;
        }
        assertThat(contents.equals(model)).as("contents, round=%d, acknowledged=%d", round, acknowledged).isTrue();
        return done;
    }

    /// A change, which follows from its number. Most changes remove during some thousands of numbers.
    private record Change(boolean isRemoval, int key, long value) {
        Change(long n) {
            this(n, new Random(n * 0x9e3779b97f4a7c15L));
        }

        private Change(long n, Random random) {
            this(random.nextInt(10) < (n / 8_000 % 3 == 2 ? 8 : 3), random.nextInt(KILL_KEYS), n);
        }

        void applyTo(NavigableMap<Integer, Long> map) {
            if (isRemoval) {
                map.remove(key);
            } else {
                map.put(key, value);
            }
        }

        void applyTo(TestTree tree) {
            if (isRemoval) {
                tree.remove(key);
            } else {
                tree.put(key, value);
            }
        }
    }

    /// Changes a tree until it is killed.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            Path directory = Path.of(arguments[0]);
            TestTree.Kind kind = TestTree.Kind.valueOf(arguments[1]);
            InfiniteArena arena = InfiniteArena.builder(directory.resolve(kind.name())).openOrCreate();
            TestTree tree = kind.open(arena);
            Thread.ofPlatform().start(() -> force(arena));
            KilledWriter.change(progress(directory, kind), Long.parseLong(arguments[2]),
                    n -> new Change(n).applyTo(tree));
        }

        private static void force(InfiniteArena arena) {
            while (true) {
                arena.force();
            }
        }
    }
}
