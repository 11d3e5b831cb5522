package dev.arenakit;

import com.sun.management.ThreadMXBean;
import dev.arenakit.collection.BytesLongMap;
import dev.arenakit.collection.BytesMap;
import dev.arenakit.collection.LruMap;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.SequenceLock;
import dev.arenakit.collection.concurrent.WaitStrategy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Look-ups, counts and iteration, in a JVM of their own on the class path.
final class StructureGarbageSession {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int COUNT = 5_000;

    private final String[] texts = new String[1_000];
    private final byte[] bytes = "xxabcdefghijxx".getBytes(StandardCharsets.UTF_8);

    public static void main(String[] args) {
        StructureGarbageSession session = new StructureGarbageSession();
        session.numbers();
        values();
        cache();
        sharedCache();
        messages();
        System.out.println("no garbage");
    }

    private void numbers() {
        try (Arena arena = Arena.ofConfined(); BytesLongMap map = BytesLongMap.owning(Arena::ofConfined)) {
            MemorySegment segment = arena.allocateFrom("abcdefghij");
            for (int i = 0; i < texts.length; i++) {
                texts[i] = "key-" + i + "é";
                map.put(texts[i], i);
            }
            map.put(bytes, 2, 10, 5);
            assertNoGarbage("text", i -> map.get(texts[i % 1_000], -1));
            assertNoGarbage("text, absent", _ -> map.get("absent", -1));
            assertNoGarbage("array", _ -> map.get(bytes, 2, 10, -1));
            assertNoGarbage("array, absent", _ -> map.get(bytes, 0, 3, -1));
            assertNoGarbage("segment", _ -> map.get(segment, 0, 10, -1));
            assertNoGarbage("segment, absent", _ -> map.get(segment, 1, 3, -1));
            assertNoGarbage("count", i -> map.addTo(texts[i % 1_000], 1));
            assertNoGarbage("put and remove", _ -> map.put(bytes, 0, 14, 1) && map.remove(bytes, 0, 14) ? 1 : 0);
            BytesLongMap.Cursor[] cursor = {map.cursor()};
            assertNoGarbage("cursor", _ -> {
                if (!cursor[0].moveNext()) {
                    return 0;
                }
                return cursor[0].value() + cursor[0].bytes()
                        .get(JAVA_BYTE,
                                cursor[0].keyOffset());
            });
        }
    }

    private static void values() {
        try (BytesMap map = BytesMap.owning(Arena::ofConfined)) {
            map.put("key", "value");
            BytesMap.Value value = map.newValue();
            assertNoGarbage("bytes", _ -> map.find("key", value) ? value.byteSize() : 0);
            assertNoGarbage("bytes, absent", _ -> map.find("absent", value) ? 1 : 0);
        }
    }

    private static void cache() {
        byte[] bytes = new byte[100];
        try (LruMap map = LruMap.owning(Arena::ofConfined, 100_000)) {
            LruMap.Value value = map.newValue();
            // Grows its slots, which have an arena each.
            for (int i = 0; i < COUNT; i++) {
                map.put(i, bytes);
            }
            assertNoGarbage("cache, put that evicts", i -> map.put(i, bytes) ? 1 : 0);
            assertNoGarbage("cache, get", i -> map.find(i, value) ? value.byteSize() : 0);
            assertNoGarbage("cache, get by text", _ -> map.find("absent", value) ? 1 : 0);
            assertNoGarbage("cache, put and remove", i -> map.put("key", bytes) && map.remove("key") ? i : 0);
        }
    }

    private static void sharedCache() {
        byte[] bytes = new byte[100];
        try (Arena arena = Arena.ofConfined();
                ConcurrentLruMap map = ConcurrentLruMap.builder(100_000)
                        .expireAfterAccess(Duration.ofHours(1))
                        .owning(MallocArena::ofShared)) {
            MemorySegment key = arena.allocateFrom("key");
            MemorySegment target = arena.allocate(100);
            map.put("key", bytes);
            assertNoGarbage("shared cache, segment", _ -> map.find(key, 0, 3, target));
            assertNoGarbage("shared cache, text", _ -> map.find("key", target));
            assertNoGarbage("shared cache, put that evicts", i -> map.put(i, bytes) ? 1 : 0);
            assertNoGarbage("shared cache, number", i -> map.find(i, target));
            assertNoGarbage("shared cache, remove", i -> map.put("other", bytes) && map.remove("other") ? i : 0);
        }
    }

    private static void messages() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment message = arena.allocateFrom("message");
            RingBuffer ring = RingBuffer.mpsc(arena.allocate(RingBuffer.byteSize(256), Long.BYTES));
            RingBuffer.MessageHandler handler = (_, segment, offset, _) -> results += segment.get(JAVA_BYTE, offset);
            WaitStrategy strategy = WaitStrategy.spin();
            assertNoGarbage("message, copied", i -> ring.write(i, message, 0, 7) ? ring.poll(handler, 10) : 0);
            assertNoGarbage("message, in place", i -> {
                long at = ring.claim(8);
                ring.segment().set(JAVA_BYTE, at, (byte) i);
                ring.commit(at, i);
                ring.abort(ring.claim(100));
                return ring.poll(handler, 10, strategy, 1_000);
            });
            assertNoGarbage("message, none", _ -> ring.poll(handler, 10, strategy, 1_000));
            SequenceLock lock = SequenceLock.of(arena.allocate(Long.BYTES, Long.BYTES), 0);
            assertNoGarbage("sequence lock", _ -> {
                lock.beginWrite();
                lock.endWrite();
                return lock.validate(lock.tryOptimisticRead()) ? 1 : 0;
            });
        }
    }

    /// Keeps the compiler from removing the work.
    static long results;

    private interface Work {
        long run(int i);
    }

    private static void assertNoGarbage(String name, Work work) {
        LongSupplier loop = () -> {
            long sum = 0;
            for (int i = 0; i < COUNT; i++) {
                sum += work.run(i);
            }
            return sum;
        };
        long least = Long.MAX_VALUE;
        // The first calls link what they use; a later one may be compiled meanwhile.
        for (int round = 0; round < 5 && least >= COUNT; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            results += loop.getAsLong();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        if (least >= COUNT) {
            throw new AssertionError("Garbage: " + name + ", bytes=" + least + ", operations=" + COUNT);
        }
    }
}
