package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
import dev.arenakit.testing.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Tests maps of records of a process that is killed while it changes them. The changes follow from their numbers, so
/// that the map must be the one after the last acknowledged change, or after the next one.
class ImageMapKillTest extends InDirectory {
    private static final VarHandle PROGRESS = JAVA_LONG.varHandle().withInvokeExactBehavior();
    /// The largest number of changes before a process is killed, except for those that it makes meanwhile.
    private static final int LARGEST_LEAST = 5_000;
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
            long acknowledged = killOnce(done, random);
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

    /// @return the number of changes that the process has acknowledged
    private long killOnce(long from, SplittableRandom random) throws Exception {
        Process writer = ChildJvm.granted("-XX:TieredStopAtLevel=" + (random.nextBoolean() ? 4 : 1))
                .command(Writer.class, directory.toString(), Long.toString(from))
                .start();
        try (BufferedReader output = writer.inputReader(); Arena arena = Arena.ofConfined()) {
            assertThat(output.readLine()).isEqualTo("ready");
            MemorySegment progress = progress(directory, arena);
            long least = from + random.nextInt(LARGEST_LEAST);
            while (writer.isAlive() && (long) PROGRESS.getOpaque(progress, 0L) < least) {
                TimeUnit.MICROSECONDS.sleep(100);
            }
            writer.destroyForcibly();
            assertThat(writer.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return progress.get(JAVA_LONG, 0);
        } finally {
            writer.destroyForcibly();
        }
    }

    /// Applies the acknowledged changes to the model, and the next one if the map has it.
    private long check(ImageMap<Key, Value> map, long from, long acknowledged, int round) {
        for (long n = from; n < acknowledged; n++) {
            applyTo(model, n);
        }
        Map<Key, Value> contents = new HashMap<>();
        map.forEach((key, value) -> assertThat(contents.put(key, value)).as("twice, round=%d", round).isNull());
        if (!map.isReadOnly()) {
            assertThat(map.size()).as("size, round=%d", round).isEqualTo(contents.size());
        }
        long done = acknowledged;
        if (!contents.equals(model)) {
            applyTo(model, acknowledged);
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

    private static MemorySegment progress(Path directory, Arena arena) throws IOException {
        try (FileChannel channel = FileChannel.open(directory.resolve("progress"), StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, arena);
        }
    }

    private static Key key(SplittableRandom random) {
        int number = random.nextInt(KEYS);
        return new Key(number, "key " + number % 100);
    }

    private static boolean isRemoval(SplittableRandom random) {
        return random.nextInt(4) == 0;
    }

    private static void applyTo(Map<Key, Value> map, long n) {
        SplittableRandom random = new SplittableRandom(n);
        Key key = key(random);
        if (isRemoval(random)) {
            map.remove(key);
        } else {
            map.put(key, new Value(n, "change " + n));
        }
    }

    /// Changes a map until it is killed.
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[0]);
            MemorySegment progress = progress(directory, Arena.global());
            ImageMap<Key, Value> map = InfiniteArena.builder(directory.resolve("memory"))
                    .openOrCreate()
                    .map("map", Key.class, Value.class);
            System.out.println("ready");
            for (long n = Long.parseLong(arguments[1]);; n++) {
                SplittableRandom random = new SplittableRandom(n);
                Key key = key(random);
                if (isRemoval(random)) {
                    map.remove(key);
                } else {
                    map.put(key, new Value(n, "change " + n));
                }
                PROGRESS.setRelease(progress, 0L, n + 1);
            }
        }
    }
}
