package dev.arenakit.collection.concurrent;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.collection.OperationModel;
import dev.arenakit.collection.concurrent.RemovalCause;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// One shard, compared with a model of the order of eviction, of expiry, and of the removals.
@SuppressWarnings("NullAway") // Tests pass null for a missing value.
class ConcurrentLruMapModelTest {
    private static final List<Supplier<Arena>> ARENAS = List.of(MallocArena::ofShared, FreeListArena::ofShared,
            Arena::ofShared);

    enum Action {
        PUT, PUT_AGAIN, GET, FIND, LOAD, REMOVE, WAIT, REMOVE_EXPIRED, CLEAR
    }

    record Operation(Action action, int key, int valueByteSize) {}

    private static final class Entry {
        private final String key;
        private String value;
        private boolean isProtected;
        private long writeDeadline;
        private long deadline;

        Entry(String key, String value) {
            this.key = key;
            this.value = value;
        }

        @Override
        public String toString() {
            return key + "=" + value;
        }
    }

    private static final class Subject implements OperationModel.Subject<Operation> {
        private static final long NEVER = Long.MAX_VALUE / 4;

        private final long liveLimit;
        private final long largest;
        private final long writeNanos;
        private final long accessNanos;
        private final long header;
        private final ConcurrentLruMap map;
        private final MemorySegment target = MemorySegment.ofArray(new byte[10_000]);
        private final List<String> removals = new ArrayList<>();

        private final List<Entry> order = new ArrayList<>();
        private final List<String> expectedRemovals = new ArrayList<>();
        // The numbers overflow during the test.
        private long now = Long.MAX_VALUE - 100;
        private long hits;
        private long misses;
        private long evictions;
        private long expired;
        private long tooLarge;

        Subject(long limit, long writeNanos, long accessNanos, Supplier<Arena> arenas) {
            long capacity = limit / 8 * 8;
            liveLimit = capacity - capacity / 8;
            largest = capacity / 4;
            this.writeNanos = writeNanos;
            this.accessNanos = accessNanos;
            header = 16L + (writeNanos < NEVER ? 8 : 0) + (accessNanos < NEVER ? 8 : 0);
            ConcurrentLruMapBuilder builder = ConcurrentLruMap.builder(limit)
                    .shards(1)
                    .clock(() -> now)
                    .onRemoval((key, value, cause) -> removals.add(text(key) + "=" + text(value) + " " + cause));
            if (writeNanos < NEVER) {
                builder.expireAfterWrite(Duration.ofNanos(writeNanos));
            }
            if (accessNanos < NEVER) {
                builder.expireAfterAccess(Duration.ofNanos(accessNanos));
            }
            map = builder.owning(arenas);
        }

        @Override
        public void apply(Operation operation) {
            String key = "k".repeat(operation.key % 12) + operation.key;
            String value = ("v" + operation.key).repeat(operation.valueByteSize).substring(0, operation.valueByteSize);
            switch (operation.action) {
                case PUT, PUT_AGAIN -> assertThat(map.put(key, bytes(value))).isEqualTo(put(key, value));
                case GET -> {
                    Entry entry = get(key);
                    assertThat(map.get(key, null)).isEqualTo(entry == null ? null : bytes(entry.value));
                }
                case FIND -> {
                    Entry entry = get(key);
                    int size = map.find(bytes(key), target);
                    assertThat(size).isEqualTo(entry == null ? -1 : entry.value.length());
                    if (entry != null) {
                        assertThat(target.asSlice(0, size).mismatch(MemorySegment.ofArray(bytes(entry.value))))
                                .isEqualTo(-1);
                    }
                }
                case LOAD -> {
                    Entry entry = get(key);
                    String expected = entry == null ? value : entry.value;
                    if (entry == null) {
                        put(key, value);
                    }
                    assertThat(map.getOrLoad(key, () -> bytes(value))).isEqualTo(bytes(expected));
                }
                case REMOVE -> {
                    Entry entry = live(key);
                    if (entry != null) {
                        remove(entry, RemovalCause.REMOVED);
                    }
                    assertThat(map.remove(key)).isEqualTo(entry != null);
                }
                case WAIT -> now += operation.valueByteSize % 40;
                case REMOVE_EXPIRED -> {
                    List.copyOf(order).forEach(entry -> removeIfExpired(entry));
                    map.removeExpired();
                }
                case CLEAR -> {
                    List.copyOf(order).forEach(entry -> {
                        if (!removeIfExpired(entry)) {
                            remove(entry, RemovalCause.REMOVED);
                        }
                    });
                    map.clear();
                }
            }
            assertThat(removals).isEqualTo(expectedRemovals);
            removals.clear();
            expectedRemovals.clear();
            CacheStatistics stats = map.stats();
            assertThat(stats).isEqualTo(new CacheStatistics(hits, misses, evictions, expired, tooLarge,
                    order.size(), order.stream().mapToLong(this::byteSize).sum(), stats.byteSize()));
        }

        private @Nullable Entry live(String key) {
            Entry found = order.stream().filter(entry -> entry.key.equals(key)).findAny().orElse(null);
            return found == null || removeIfExpired(found) ? null : found;
        }

        private @Nullable Entry get(String key) {
            Entry entry = live(key);
            if (entry == null) {
                misses++;
            } else {
                hits++;
                if (accessNanos < NEVER) {
                    entry.deadline = now + Math.min(accessNanos, entry.writeDeadline - now);
                }
                use(entry, false);
            }
            return entry;
        }

        private boolean put(String key, String value) {
            Entry present = live(key);
            Entry entry = new Entry(key, value);
            long byteSize = byteSize(entry);
            if (byteSize > largest) {
                if (present != null) {
                    order.remove(present);
                    expectedRemovals.add(present + " REPLACED");
                }
                tooLarge++;
                return false;
            }
            String replaced = present + " REPLACED";
            if (present != null) {
                use(present, false);
            }
            if (present == null || byteSize(present) != byteSize) {
                while (order.stream().mapToLong(this::byteSize).sum() + byteSize > liveLimit) {
                    Entry oldest = order.getFirst();
                    if (!removeIfExpired(oldest)) {
                        remove(oldest, RemovalCause.EVICTED);
                        evictions++;
                    }
                }
                order.remove(present);
                int firstProtected = 0;
                while (firstProtected < order.size() && !order.get(firstProtected).isProtected) {
                    firstProtected++;
                }
                order.add(firstProtected, entry);
                if (present != null) {
                    use(entry, true);
                }
            } else {
                entry = present;
                entry.value = value;
            }
            entry.writeDeadline = now + writeNanos;
            entry.deadline = now + Math.min(writeNanos, accessNanos);
            if (present != null) {
                expectedRemovals.add(replaced);
            }
            return present == null;
        }

        private void use(Entry entry, boolean isReplacement) {
            if (order.getLast() == entry && entry.isProtected && !isReplacement) {
                return;
            }
            order.remove(entry);
            order.add(entry);
            entry.isProtected = true;
            for (Entry each : order) {
                if (order.stream().filter(other -> other.isProtected).mapToLong(this::byteSize).sum() <= liveLimit
                        - liveLimit / 5) {
                    break;
                }
                each.isProtected = false;
            }
        }

        private boolean removeIfExpired(Entry entry) {
            boolean isExpired = Math.min(writeNanos, accessNanos) < NEVER && now - entry.deadline >= 0;
            if (isExpired) {
                remove(entry, RemovalCause.EXPIRED);
                expired++;
            }
            return isExpired;
        }

        private void remove(Entry entry, RemovalCause cause) {
            order.remove(entry);
            expectedRemovals.add(entry + " " + cause);
        }

        private long byteSize(Entry entry) {
            return header + (entry.key.length() + 7L) / 8 * 8 + (entry.value.length() + 7L) / 8 * 8;
        }

        @Override
        public void check() {
            // The statistics have the size, and each key is looked up by the operations.
            assertThat(map.toString()).startsWith("ConcurrentLruMap: " + order.size() + " entries, ");
        }

        @Override
        public void close() {
            map.close();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void operations_atRandom_agreeWithTheModel() {
        run(12, 1_000);
    }

    @Tag("slow")
    @Test
    void operations_manyAtRandom_agreeWithTheModel() {
        run(96, 50_000);
    }

    private static void run(int seeds, int operations) {
        for (int seed = 0; seed < seeds; seed++) {
            long limit = (1_024L << seed % 5) + 3L * seed;
            long write = (seed & 1) == 0 ? Subject.NEVER : 400;
            long access = (seed & 2) == 0 ? Subject.NEVER : 150;
            int keys = 10 << seed % 4;
            int values = (int) limit / (seed % 3 == 0 ? 3 : 20);
            Supplier<Arena> arenas = ARENAS.get(seed % ARENAS.size());
            new OperationModel<>(() -> new Subject(limit, write, access, arenas)).run(seed, operations, random -> {
                int choice = random.nextInt(1_000);
                Action action = Action.values()[choice < 6 ? 7 + choice % 2 : choice % 7];
                return new Operation(action, key(random, keys), random.nextInt(values));
            });
        }
    }

    private static int key(Random random, int keys) {
        return random.nextInt(1 + random.nextInt(keys));
    }
}
