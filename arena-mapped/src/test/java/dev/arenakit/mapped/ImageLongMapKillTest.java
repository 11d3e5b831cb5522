package dev.arenakit.mapped;

import dev.arenakit.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests maps of a process that is killed while it changes them. The changes follow from their numbers, so that the map
/// must be the one after the last acknowledged change, or after the next one.
class ImageLongMapKillTest extends InDirectory {
    /// The largest number of changes that are waited for before a process is killed.
    private static final int MOST_CHANGES = 20_000;
    /// So many keys that the table doubles in most runs.
    private static final int KEYS = 200_000;

    private final Map<Long, Long> model = new HashMap<>();

    ImageLongMapKillTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    @Test
    void kill_atRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(2)).isPositive();
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
                done = check(arena.longMap("map"), done, acknowledged, round);
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
            this(random.nextInt(8), random.nextInt(KEYS), n);
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
            ImageLongMap map = InfiniteArena.builder(directory.resolve("memory")).openOrCreate().longMap("map");
            KilledWriter.change(progress(directory), Long.parseLong(arguments[1]), n -> new Change(n).applyTo(map));
        }
    }
}
