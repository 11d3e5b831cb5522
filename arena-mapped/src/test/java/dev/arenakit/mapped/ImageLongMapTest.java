package dev.arenakit.mapped;

import dev.arenakit.mapped.internal.table.LongGroups;
import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Tests maps of longs, beside a map of the JDK: their changes, damaged bytes, and processes that are killed while they
/// change a map. Such a map must be the one after the last acknowledged change, or after the next one.
class ImageLongMapTest extends InDirectory {
    private static final int KEYS = 500;
    private final Path copy = directory.resolve("copy");
    private final RandomDamage damage = new RandomDamage();
    private int used;

    /// The largest number of changes that are waited for before a process is killed.
    private static final int MOST_CHANGES = 20_000;

    /// So many keys that the table doubles in most runs.
    private static final int KILL_KEYS = 200_000;
    private final Map<Long, Long> model = new HashMap<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void operations_random_equalModel(long seed) {
        Random random = new Random(seed);
        Map<Long, Long> model = new HashMap<>();
        Path base = directory.resolve("image");
        for (int run = 0; run < 6; run++) {
            try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                ImageLongMap map = arena.structures().longMap("map");
                assertThat(contents(map)).isEqualTo(model);
                int range = 1 + random.nextInt(20_000);
                for (int i = 0; i < 20_000; i++) {
                    change(map, model, random.nextInt(range) * (seed << 32), random);
                }
                assertThat(contents(map)).isEqualTo(model);
                assertThat(map.size()).isEqualTo(model.size());
            }
        }
    }

    private static void change(ImageLongMap map, Map<Long, Long> model, long key, Random random) {
        long value = random.nextLong();
        switch (random.nextInt(6)) {
            case 0, 1 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value) == null);
            case 2 -> assertThat(map.remove(key)).isEqualTo(model.remove(key) != null);
            case 3 -> assertThat(map.addTo(key, value)).isEqualTo(model.merge(key, value, Long::sum));
            case 4 -> assertThat(map.get(key, value)).isEqualTo(model.getOrDefault(key, value));
            default -> {
                if (random.nextInt(5_000) == 0) {
                    map.clear();
                    model.clear();
                }
            }
        }
    }

    @Test
    void open_twice_isTheSameMap() {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base)) {
            arena.structures().longMap("map").put(1, 2);
            ImageLongMap other = arena.structures().longMap("map");
            assertThat(other.get(1, 0)).isEqualTo(2);
            other.put(3, 4);
            assertThat(arena.structures().longMap("map").size()).isEqualTo(2);
        }
    }

    @Test
    void map_ofAnImage_isReadOnlyAndSeesLaterEntries() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofConfined(base);
                ArenaImage image = ArenaImage.open(base);
                Arena mapping = Arena.ofConfined()) {
            ImageLongMap map = arena.structures().longMap("map");
            ImageLongMap read = image.structures(mapping).longMap("map");
            for (long key = 0; key < 5_000; key++) {
                map.put(key, -key);
            }
            assertThat(contents(read)).isEqualTo(contents(map)).hasSize(5_000);
            assertThat(read.get(4_999, 0)).isEqualTo(-4_999);
            assertThat(read.size()).isEqualTo(5_000);
            assertThatThrownBy(() -> read.put(1, 2)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> read.remove(1)).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(read::clear).isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> image.structures(mapping).repair("map"))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
    }

    @Test
    void structures_ofAnImageWithoutADataFile_nameTheStructureAndTheFile() throws IOException {
        using(InfiniteArena.ofConfined(base), arena -> arena.structures().longMap("map").put(1, 2));
        Path file = ImageFiles.data(base, 0);
        Files.delete(file);
        try (ArenaImage image = ArenaImage.open(base); Arena mapping = Arena.ofConfined()) {
            assertThatThrownBy(() -> image.structures(mapping).longMap("map")).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContainingAll("name=map", "path=" + file);
        }
    }

    @Test
    void copy_ofAMapThatItsOwnerDoesNotChangeMeanwhile_isComplete() {
        Path base = directory.resolve("image");
        Path copy = directory.resolve("copy");
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).build()) {
            arena.structures().longMap("map").put(1, 2);
            copy(base, copy);
        }
        using(InfiniteArena.builder(copy).reopen(),
                arena -> assertThat(arena.structures().longMap("map").get(1, 0)).isEqualTo(2));
    }

    @Test
    void copy_ofAMapThatNobodyHasChangedSinceItWasClosed_isComplete() {
        Path base = directory.resolve("image");
        Path copy = directory.resolve("copy");
        using(TestFileSystem.smallStructures(base).build(),
                arena -> arena.structures().longMap("map").put(1, 2));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            assertThat(arena.structures().longMap("map").get(1, 0)).isEqualTo(2);
            copy(base, copy);
        }
        using(InfiniteArena.builder(copy).reopen(),
                arena -> assertThat(arena.structures().longMap("map").get(1, 0)).isEqualTo(2));
    }

    private static void copy(Path base, Path to) {
        try (ArenaImage image = ArenaImage.open(base)) {
            image.copyTo(to);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The value is 0 at times, and 1 at others.
    @Test
    void containsKey_besideAWriterOfItsValue_isTrue() throws InterruptedException {
        AtomicBoolean isDone = new AtomicBoolean();
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            ImageLongMap map = arena.structures().longMap("map");
            map.put(7, 0);
            ImageLongMap read = map.asReadOnly();
            Thread writer = Thread.ofPlatform().start(() -> {
                for (long n = 0; !isDone.get(); n++) {
                    map.put(7, n & 1);
                }
            });
            try {
                for (int i = 0; i < 1_000_000; i++) {
                    if (!read.containsKey(7)) {
                        throw new AssertionError("absent, i=" + i);
                    }
                }
            } finally {
                isDone.set(true);
                writer.join();
            }
        }
    }

    private static Map<Long, Long> contents(ImageLongMap map) {
        Map<Long, Long> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).isNull());
        return contents;
    }

    @Test
    void repair_ofAPairThatDiffersFromItsCheck_dropsItsGroup() throws IOException {
        try (InfiniteArena arena = TestFileSystem.smallStructures(base).boot(1).build()) {
            ImageLongMap map = arena.structures().longMap("map");
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
            StructureRepair repair = arena.structures().repair("map");
            assertThat(repair.dropped()).isBetween(1L, (long) LongGroups.SLOTS);
            assertThat(repair.kept() + repair.dropped()).isEqualTo(1_000);
            ImageLongMap map = arena.structures().longMap("map");
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
    @Tag("full")
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
        using(InfiniteArena.ofConfined(base), arena -> change(arena.structures().longMap("map"), 2 * KEYS, KEYS, 0));
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            arena.structures().longMap("map").put(1, 2);
            copyImage(copy);
        }
        damage.repeat(base, copy, times, this::use);
    }

    private void use(Path damaged, int seed) throws IOException {
        try (ArenaImage image = ArenaImage.open(damaged); Arena arena = Arena.ofConfined()) {
            damage.attempt(() -> read(image.structures(arena).longMap("map")));
        }
        InfiniteArena arena = InfiniteArena.builder(damaged).reopen();
        damage.attempt(() -> {
            ImageLongMap map = arena.structures().longMap("map");
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

    private void copyImage(Path to) throws IOException {
        using(ArenaImage.open(base), image -> image.copyTo(to));
    }

    @Test
    void kill_atARandomPoint_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(1)).isPositive();
    }

    @Test
    @Tag("full")
    void kill_atTwentyRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(20)).isGreaterThan(1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void kill_atFiveHundredRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(500)).isGreaterThan(1_000_000);
    }

    /// @return the number of changes that were made
    private long kill(int times) throws Exception {
        long done = 0;
        Random random = new Random(times);
        for (int round = 0; round < times; round++) {
            long acknowledged = KilledWriter.kill(Writer.class, progress(directory),
                    done + random.nextInt(MOST_CHANGES),
                    random, directory.toString(), Long.toString(done));
            try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                done = check(arena.structures().longMap("map"), done, acknowledged, round);
            }
        }
        return done;
    }

    private static Path progress(Path directory) {
        return directory.resolve("progress");
    }

    /// Applies the acknowledged changes to the model, and the next one if the map has it.
    private long check(ImageLongMap map, long from, long acknowledged, int round) {
        for (long n = from; n < acknowledged; n++) {
            new Change(n).applyTo(model);
        }
        Change next = new Change(acknowledged);
        Map<Long, Long> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).as("twice, round=%d", round).isNull());
        assertThat(map.size()).as("size, round=%d", round).isEqualTo(contents.size());
        long done = acknowledged;
        if (!contents.equals(model)) {
            next.applyTo(model);
            done++;
        }
        assertThat(contents.equals(model)).as("contents, round=%d, acknowledged=%d", round, acknowledged).isTrue();
        model.forEach((key, value) -> assertThat(map.get(key, ~value)).isEqualTo(value));
        return done;
    }

    /// A change, which follows from its number.
    private record Change(int kind, long key, long value) {
        Change(long n) {
            this(n, new Random(n * 0x9e3779b97f4a7c15L));
        }

        private Change(long n, Random random) {
            this(random.nextInt(8), random.nextInt(KILL_KEYS), n);
        }

        void applyTo(Map<Long, Long> map) {
            switch (kind) {
                case 0, 1 -> map.remove(key);
                case 2 -> map.merge(key, value, Long::sum);
                default -> map.put(key, value);
            }
        }

        void applyTo(ImageLongMap map) {
            switch (kind) {
                case 0, 1 -> map.remove(key);
                case 2 -> map.addTo(key, value);
                default -> map.put(key, value);
            }
        }
    }

    /// Changes a map until it is killed.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            ChildJvm.endWithParent();
            Path directory = Path.of(arguments[0]);
            ImageLongMap map = InfiniteArena.builder(directory.resolve("memory"))
                    .openOrCreate()
                    .structures()
                    .longMap("map");
            KilledWriter.change(progress(directory), Long.parseLong(arguments[1]), n -> new Change(n).applyTo(map));
        }
    }

    /// Uses images whose bytes are changed at random. Each call must return, or throw an exception that says so.
    static final class RandomDamage {
        private int seed;
        private int refused;

        /// The use of a damaged image.
        @FunctionalInterface
        interface Use {
            /// Uses the image.
            ///
            /// @param base the base of the image
            /// @param seed the seed of its damage
            void use(Path base, int seed) throws IOException;
        }

        /// A call that may be refused.
        @FunctionalInterface
        interface Action {
            void run() throws IOException;
        }

        /// Damages one of two images at a time.
        void repeat(Path first, Path second, int times, Use use) throws IOException {
            try (DamagedImage firstImage = new DamagedImage(first);
                    DamagedImage secondImage = new DamagedImage(second)) {
                for (seed = 0; seed < times; seed++) {
                    SplittableRandom random = new SplittableRandom(seed);
                    DamagedImage image = random.nextBoolean() ? firstImage : secondImage;
                    image.damage(random);
                    use.use(image.base(), seed);
                }
            }
        }

        void attempt(Action action) {
            try {
                action.run();
            } catch (IllegalStateException | IllegalArgumentException _) {
                refused++;
            } catch (RuntimeException | IOException e) {
                throw new AssertionError("seed=" + seed, e);
            }
        }

        /// The number of calls that were refused.
        int refused() {
            return refused;
        }
    }
}
