package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Throws an error at each call of each operation of a cache. Afterwards, each key has its value before or after the
/// operation or none, and the cache can be used.
public final class CacheFaultsSession {
    private static final int KEYS = 14;
    /// Entries of this size and the keys fill the cache.
    private static final int VALUE = 200;
    private static final int CHANGED = 100;

    private long now;
    private long removals;
    private final ConcurrentLruMap map = ConcurrentLruMap.builder(4_096)
            .shards(1)
            .clock(() -> now)
            .expireAfterWrite(Duration.ofNanos(100))
            .expireAfterAccess(Duration.ofNanos(60))
            .onRemoval((_, _, _) -> removals++)
            .owning(MallocArena::ofShared);

    private interface Operation {
        void run(CacheFaultsSession session);
    }

    private static final List<Operation> OPERATIONS = List.of(s -> s.map.put(3, value(CHANGED + 3, VALUE)),
            s -> s.map.put(3, value(CHANGED + 3, 10)), s -> s.map.put("new", value(0, 10)),
            s -> s.map.put(100, value(100, 3 * VALUE)), s -> s.map.put(3, new byte[1_100]),
            s -> s.map.find(3, MemorySegment.ofArray(new byte[VALUE])), s -> s.map.get("no such key", new byte[0]),
            s -> s.map.remove(4), s -> s.map.clear(), s -> {
                s.now = 30;
                s.map.find(2, MemorySegment.ofArray(new byte[VALUE]));
                s.now = 70;
                s.map.get(1, new byte[0]);
                s.map.removeExpired();
            }, s -> s.map.getOrLoad(200, () -> value(200, 20)),
            s -> s.map.getOrLoad("other", () -> s.map.getOrLoad(201, () -> value(201, 20))), s -> s.map.stats());

    private CacheFaultsSession() {}

    /// Runs each operation with each fault.
    public static void faults() {
        for (int operation = 0; operation < OPERATIONS.size(); operation++) {
            boolean isInterrupted = true;
            for (int call = 1; isInterrupted; call++) {
                CacheFaultsSession session = new CacheFaultsSession();
                try {
                    isInterrupted = session.run(OPERATIONS.get(operation), call);
                } catch (RuntimeException | Error e) {
                    throw new AssertionError("operation=" + operation + ", call=" + call, e);
                }
                session.map.close();
                require(isInterrupted || call > 10);
            }
        }
        System.out.println("no wrong answer");
    }

    private boolean run(Operation operation, int call) {
        for (int key = 0; key < KEYS; key++) {
            map.put(key, value(key, VALUE));
        }
        boolean isInterrupted = false;
        try {
            CallFaults.throwAt(call);
            operation.run(this);
        } catch (StackOverflowError e) {
            isInterrupted = true;
        } finally {
            CallFaults.throwAt(0);
        }
        int found = 0;
        for (long key : new long[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 100, 200, 201}) {
            byte[] value = map.get(key, new byte[0]);
            require(value.length == 0 || isWhole(value, key) || isWhole(value, CHANGED + key));
            found += value.length == 0 ? 0 : 1;
        }
        for (String key : new String[]{"new", "other"}) {
            found += map.get(key, new byte[0]).length == 0 ? 0 : 1;
        }
        require(map.size() == found);
        // A load that was interrupted is no longer in progress.
        require(map.getOrLoad(200, () -> value(200, 20)).length == 20);
        require(map.getOrLoad("other", () -> value(201, 20)).length == 20);
        for (int key = 0; key < KEYS; key++) {
            map.put(key, value(key, 100));
            require(isWhole(map.get(key, new byte[0]), key));
        }
        map.clear();
        require(map.stats().usedByteSize() == 0);
        require(removals > 0);
        return isInterrupted;
    }

    private static byte[] value(int number, int byteSize) {
        byte[] value = new byte[byteSize];
        Arrays.fill(value, (byte) number);
        return value;
    }

    private static boolean isWhole(byte[] value, long number) {
        for (byte each : value) {
            if (each != (byte) number) {
                return false;
            }
        }
        return true;
    }

    private static void require(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }
}
