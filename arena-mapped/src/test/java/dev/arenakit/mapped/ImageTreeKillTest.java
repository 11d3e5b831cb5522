package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.catalog.BootId;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests trees of a process that is killed while it changes them, and while another of its threads forces them. The
/// changes follow from their numbers, so that the tree must be the one after the last acknowledged change, or after the
/// next one.
class ImageTreeKillTest extends InDirectory {
    /// The largest number of changes that are waited for before a process is killed.
    private static final int MOST_CHANGES = 3_000;
    private static final int KEYS = 30_000;

    ImageTreeKillTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void kill_atTwoRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        kill(TestTree.Kind.LONGS, 1);
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
            this(random.nextInt(10) < (n / 8_000 % 3 == 2 ? 8 : 3), random.nextInt(KEYS), n);
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
