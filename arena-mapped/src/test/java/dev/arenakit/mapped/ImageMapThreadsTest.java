package dev.arenakit.mapped;

import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests readers of a map beside the thread that changes it. Readers use the map of the arena, or an own mapping as another
/// process has it.
class ImageMapThreadsTest extends InDirectory {
    /// Keys below are never removed.
    private static final int LASTING = 8;
    /// So few keys that entries are used again at once.
    private static final int KEYS = 1_000;
    private static final Value MISSING = new Value(Side.NONE, "", 0, 0);

    private final AtomicBoolean isDone = new AtomicBoolean();

    ImageMapThreadsTest() throws IOException {
        super(TestFileSystem.SHARED_MEMORY);
    }

    enum Side {
        NONE, BUY, SELL
    }

    record Key(long number, long complement) {
        Key(long number) {
            this(number, ~number);
        }
    }

    /// The checksum covers the other components and the key.
    record Value(Side side, @Length(20) String text, long number, long checksum) {
        static Value of(Key key, long number) {
            Side side = number % 2 == 0 ? Side.BUY : Side.SELL;
            String text = "text " + number % 100_000;
            return new Value(side, text, number, checksum(key, side, text, number));
        }

        private static long checksum(Key key, Side side, String text, long number) {
            return (((key.number * 31 + (side == Side.BUY ? 1 : 2)) * 31 + text.hashCode()) * 31 + number)
                    * 0x9e3779b97f4a7c15L;
        }

        boolean isWhole(Key key) {
            return key.number == ~key.complement && checksum == checksum(key, side, text, number);
        }
    }

    @Test
    void read_besideAWriter_returnsWholeRecords() throws Exception {
        read(1_000);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void read_besideAWriterForTenMinutes_returnsWholeRecords() throws Exception {
        read(TimeUnit.MINUTES.toMillis(10));
    }

    private void read(long millis) throws Exception {
        try (InfiniteArena arena = InfiniteArena.ofShared(base);
                Arena mapping = Arena.ofShared();
                ExecutorService executor = Executors.newCachedThreadPool()) {
            ImageMap<Key, Value> map = arena.map("map", Key.class, Value.class);
            for (long number = 0; number < LASTING; number++) {
                map.put(new Key(number), Value.of(new Key(number), number));
            }
            List<Future<Long>> readers = new ArrayList<>();
            try (ArenaImage image = ArenaImage.open(base)) {
                ImageMap<Key, Value> other = image.map("map", Key.class, Value.class, mapping);
                for (ImageMap<Key, Value> readMap : List.of(map.asReadOnly(), other)) {
                    readers.add(executor.submit(() -> lookUp(readMap)));
                    readers.add(executor.submit(() -> iterate(readMap)));
                }
            }
            try {
                change(map, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
            } finally {
                isDone.set(true);
            }
            for (Future<Long> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
        }
    }

    private static void change(ImageMap<Key, Value> map, long until) {
        SplittableRandom random = new SplittableRandom(1);
        long end = KEYS;
        for (long n = 0; System.nanoTime() < until; n++) {
            Key key = new Key(random.nextInt(KEYS));
            if (key.number < LASTING || random.nextInt(3) > 0) {
                map.put(key, Value.of(key, n));
            } else {
                map.remove(key);
            }
            // Sometimes the table doubles, and all that made it double is removed.
            if (n % 5_000 == 0) {
                for (long more = end; more < end + 10 * KEYS; more++) {
                    map.put(new Key(more), Value.of(new Key(more), n));
                }
                map.removeIf((removed, _) -> removed.number >= KEYS);
                end += 10 * KEYS;
            }
        }
    }

    private long lookUp(ImageMap<Key, Value> map) {
        SplittableRandom random = new SplittableRandom(2);
        long reads = 0;
        while (!isDone.get() || reads == 0) {
            Key key = new Key(random.nextInt(random.nextBoolean() ? LASTING : KEYS));
            Value value = map.get(key, MISSING);
            boolean isPresent = map.containsKey(key);
            if (value.equals(MISSING) ? key.number < LASTING : !value.isWhole(key)) {
                throw new AssertionError("read=" + value + ", key=" + key);
            }
            if (key.number < LASTING && !isPresent) {
                throw new AssertionError("missing key=" + key);
            }
            reads++;
        }
        return reads;
    }

    private long iterate(ImageMap<Key, Value> map) {
        long reads = 0;
        while (!isDone.get() || reads == 0) {
            int[] lasting = {0};
            try {
                map.forEach((key, value) -> {
                    if (!value.isWhole(key)) {
                        throw new AssertionError("iterated=" + value + ", key=" + key);
                    }
                    lasting[0] += key.number < LASTING ? 1 : 0;
                });
                assertThat(lasting[0]).isEqualTo(LASTING);
            } catch (ConcurrentModificationException _) {
                // The table has doubled.
            }
            reads++;
        }
        return reads;
    }
}
