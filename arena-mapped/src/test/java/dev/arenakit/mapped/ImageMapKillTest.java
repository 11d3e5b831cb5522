package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
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

/// Tests maps of records of a process that is killed while it changes them. The changes follow from their numbers, so
/// that the map must be the one after the last acknowledged change, or after the next one.
class ImageMapKillTest extends InDirectory {
    /// The largest number of changes that are waited for before a process is killed.
    private static final int MOST_CHANGES = 5_000;
    /// So many keys that table and entries grow in most runs.
    private static final int KEYS = 40_000;

    private final Map<Key, Value> model = new HashMap<>();

    ImageMapKillTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    record Key(int number, @Length(9) String text) {}

    record Value(long change, @Length(30) String text) {}

    @Test
    void kill_atTenRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(10)).isGreaterThan(1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void kill_atFiveHundredRandomPoints_leavesEachChangeWhollyOrNotAtAll() throws Exception {
        assertThat(kill(500)).isGreaterThan(500_000);
    }

    /// @return the number of changes that were made
    private long kill(int times) throws Exception {
        long done = 0;
        SplittableRandom random = new SplittableRandom(times);
        for (int round = 0; round < times; round++) {
            long acknowledged = KilledWriter.kill(Writer.class, progress(directory),
                    done + random.nextInt(MOST_CHANGES),
                    random, directory.toString(), Long.toString(done));
            // The next process opens what the killed process has left, in every second round.
            if (round % 2 == 0) {
                try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
                    done = check(arena.map("map", Key.class, Value.class), done, acknowledged, round);
                }
            } else {
                try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
                    done = check(image.map("map", Key.class, Value.class, arena), done, acknowledged, round);
                }
            }
        }
        return done;
    }

    private static Path progress(Path directory) {
        return directory.resolve("progress");
    }

    /// Applies the acknowledged changes to the model, and the next one if the map has it.
    private long check(ImageMap<Key, Value> map, long from, long acknowledged, int round) {
        for (long n = from; n < acknowledged; n++) {
            new Change(n).applyTo(model);
        }
        Map<Key, Value> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).as("twice, round=%d", round).isNull());
        if (!map.isReadOnly()) {
            assertThat(map.size()).as("size, round=%d", round).isEqualTo(contents.size());
        }
        long done = acknowledged;
        if (!contents.equals(model)) {
            new Change(acknowledged).applyTo(model);
            done++;
        }
        assertThat(contents.equals(model)).as("contents, round=%d, acknowledged=%d", round, acknowledged).isTrue();
        Value missing = new Value(-1, "");
        boolean isFound = model.entrySet()
                .stream()
                .allMatch(entry -> map.get(entry.getKey(), missing).equals(entry.getValue()));
        assertThat(isFound).as("look-ups, round=%d", round).isTrue();
        return done;
    }

    /// A change, which follows from its number.
    private record Change(boolean isRemoval, Key key, Value value) {
        Change(long n) {
            this(n, new SplittableRandom(n));
        }

        private Change(long n, SplittableRandom random) {
            this(random.nextInt(4) == 0, key(random.nextInt(KEYS)), new Value(n, "change " + n));
        }

        private static Key key(int number) {
            return new Key(number, "key " + number % 100);
        }

        void applyTo(Map<Key, Value> map) {
            if (isRemoval) {
                map.remove(key);
            } else {
                map.put(key, value);
            }
        }

        void applyTo(ImageMap<Key, Value> map) {
            if (isRemoval) {
                map.remove(key);
            } else {
                map.put(key, value);
            }
        }
    }

    /// Changes a map until it is killed.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            ImageMap<Key, Value> map = InfiniteArena.builder(directory.resolve("memory"))
                    .openOrCreate()
                    .map("map", Key.class, Value.class);
            KilledWriter.change(progress(directory), Long.parseLong(arguments[1]), n -> new Change(n).applyTo(map));
        }
    }
}
