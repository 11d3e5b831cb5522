package dev.arenakit.collection.concurrent;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.collection.TestAllocator;
import dev.arenakit.collection.concurrent.RemovalCause;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The forms of keys, the limits, failures of memory, listeners and loaders, and the lifetime.
@SuppressWarnings("NullAway") // Tests pass null for a missing value.
class ConcurrentLruMapTest {
    @AutoClose
    private final ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16).shards(4).owning(MallocArena::ofShared);
    private final MemorySegment target = MemorySegment.ofArray(new byte[16]);

    @Test
    void find_everyFormOfKeys_findsTheSame() {
        byte[] key = {'k', 'e', 'y'};
        MemorySegment segment = MemorySegment.ofArray("a key".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        assertThat(map.put(segment, 2, 3, segment, 0, 5)).isTrue();
        assertThat(map.put("key", new byte[]{1, 2, 3})).isFalse();
        assertThat(map.find("key", target)).isEqualTo(3);
        assertThat(target.asSlice(0, 3).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).containsExactly(1, 2, 3);
        assertThat(map.find(key, target) == 3 && map.find(segment, 2, 3, target) == 3).isTrue();
        assertThat(map.get(key, null)).isEqualTo(map.get("key", null)).containsExactly(1, 2, 3);
        assertThat(map.remove(segment, 2, 3)).isTrue();
        assertThat(map.remove("key") || map.remove(key)).isFalse();
        assertThat(map.find("key", target)).isEqualTo(-1);

        assertThat(map.put(-5, new byte[]{4}) && !map.put(-5, segment.asSlice(2, 2))).isTrue();
        assertThat(map.get(-5, null)).containsExactly('k', 'e');
        assertThat(map.find(-5, target) == 2 && map.find(new byte[]{-5, -1, -1, -1, -1, -1, -1, -1}, target) == 2)
                .isTrue();
        assertThat(map.remove(-5) && !map.remove(-5)).isTrue();
        assertThat(map.put(new byte[0], new byte[0]) && map.find("", target) == 0).isTrue();
        assertThat(map.put("ß".repeat(50_000), new byte[0])).isFalse();
        assertThat(map.getOrLoad("ä".repeat(900), () -> new byte[]{7})).containsExactly(7);
        assertThat(map.get("ä".repeat(900), null)).containsExactly(7);
        assertThatThrownBy(() -> map.find(segment, 3, 3, target)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> map.put(segment, 0, 1, segment, 3, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalArgumentException().isThrownBy(() -> map.find("\uD800", target));
    }

    @Test
    void find_targetIsTooSmallOrClosed_throwsAndKeepsTheEntry() {
        map.put(1, new byte[17]);
        assertThatThrownBy(() -> map.find(1, target)).isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage(
                        "Target is smaller than the value: valueByteSize=17, targetByteSize=16; pass a larger segment");
        Arena arena = Arena.ofConfined();
        MemorySegment closed = arena.allocate(20);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> map.find(1, closed));
        assertThatIllegalStateException().isThrownBy(() -> map.put(1, closed));
        assertThatIllegalStateException().isThrownBy(() -> map.put(closed, 0, 8, target, 0, 8));
        assertThat(map.get(1, null)).hasSize(17);
    }

    @Test
    void put_scanOfKeysUsedOnce_keepsKeysInUse() {
        for (int i = 0; i < 100; i++) {
            map.put(i, new byte[100]);
            map.put(-1 - i, new byte[100]);
            map.find(i, MemorySegment.ofArray(new byte[100]));
        }
        for (int i = 1_000; i < 20_000; i++) {
            map.put(i, new byte[100]);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(map.get(i, null)).hasSize(100);
        }
        assertThat(map.stats().evictions()).isEqualTo(19_200 - map.size());
    }

    @Test
    void expiry_writeAndAccess_endsAtTheEarlierTime() {
        long[] now = {Long.MAX_VALUE - 3};
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16)
                .clock(() -> now[0])
                .expireAfterWrite(Duration.ofNanos(100))
                .expireAfterAccess(Duration.ofNanos(40))
                .create(Arena.ofAuto())) {
            map.put("used", new byte[1]);
            map.put("unused", new byte[1]);
            for (int i = 0; i < 3; i++) {
                now[0] += 33;
                assertThat(map.find("used", target)).isEqualTo(1);
            }
            assertThat(map.size()).isEqualTo(2);
            assertThat(map.find("unused", target)).isEqualTo(-1);
            now[0]++;
            assertThat(map.find("used", target)).isEqualTo(-1);
            assertThat(map.put("used", new byte[1])).isTrue();
            map.put("used", new byte[2]);
            now[0] += 39;
            map.removeExpired();
            assertThat(map.size()).isEqualTo(1);
            now[0]++;
            map.removeExpired();
            assertThat(map.stats()).extracting(CacheStatistics::size,
                    CacheStatistics::expired, CacheStatistics::evictions)
                    .containsExactly(0L, 3L, 0L);
        }
    }

    @Test
    void expiry_durationOfCenturies_neverEnds() {
        long[] now = {0};
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16)
                .clock(() -> now[0])
                .expireAfterWrite(Duration.ofSeconds(Long.MAX_VALUE))
                .expireAfterAccess(Duration.ofNanos(Long.MAX_VALUE))
                .owning(MallocArena::ofShared)) {
            map.put(1, new byte[1]);
            now[0] = Long.MAX_VALUE / 5;
            assertThat(map.find(1, target)).isEqualTo(1);
        }
    }

    @Test
    void builder_argumentsOutOfRange_areRefused() {
        ConcurrentLruMapBuilder builder = ConcurrentLruMap.builder(1 << 20);
        for (int count : new int[]{-1, 0, 3, 512}) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.shards(count));
        }
        for (Duration duration : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatIllegalArgumentException().isThrownBy(() -> builder.expireAfterWrite(duration));
            assertThatIllegalArgumentException().isThrownBy(() -> builder.expireAfterAccess(duration));
        }
        for (long limit : new long[]{Long.MIN_VALUE, -1, 0, 1_023, 2 << 20, Long.MAX_VALUE}) {
            ConcurrentLruMapBuilder other = ConcurrentLruMap.builder(limit);
            if (limit == 2 << 20) {
                // A shard of 2 KiB is too small only for the arena that refuses it.
                other.shards(1);
                SegmentAllocator slices = SegmentAllocator.slicingAllocator(Arena.ofAuto().allocate(1 << 20));
                assertThatThrownBy(() -> other.create(slices)).isInstanceOf(CapacityExceededException.class);
            } else {
                assertThatIllegalArgumentException().isThrownBy(() -> other.create(Arena.ofAuto()));
            }
        }
        for (Arena confined : List.of(Arena.ofConfined(), MallocArena.ofConfined())) {
            assertRefused(() -> builder.owning(() -> confined), "Memory is confined to a thread: allocator=");
            assertThat(confined.scope().isAlive()).isFalse();
        }
    }

    @Test
    void create_allocatorRefusesAnyRequest_givesAllBack() {
        TestAllocator allocator = new TestAllocator();
        ConcurrentLruMapBuilder builder = ConcurrentLruMap.builder(1 << 14).shards(4);
        for (int request = 0; request < 8; request++) {
            allocator.refuseAfter(request);
            assertThatThrownBy(() -> builder.create(allocator)).isInstanceOf(OutOfMemoryError.class);
            assertThat(allocator.held()).isZero();
        }
        allocator.refuseAfter(8);
        try (ConcurrentLruMap map = builder.create(allocator)) {
            for (int i = 0; i < 1_000; i++) {
                map.put(i, new byte[8]);
            }
            assertThat(map.size()).isEqualTo(44);
            allocator.refuseAfter(100);
            for (int i = 0; i < 1_000; i++) {
                map.put(i, new byte[8]);
            }
            assertThat(map.size()).isGreaterThan(100);
        }
        assertThat(allocator.held()).isZero();
    }

    @Test
    void owning_poolIsFull_throwsAndGivesBack() {
        try (SlabPool pool = SlabPool.builder().maxByteSize(1 << 20).build()) {
            assertThatThrownBy(() -> ConcurrentLruMap.builder(4 << 20).owning(pool::openShared))
                    .isInstanceOf(CapacityExceededException.class);
            assertThat(pool.stats().openArenas()).isZero();
            try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 19).owning(pool::openShared)) {
                for (int i = 0; i < 20_000; i++) {
                    map.put(i, new byte[8]);
                }
                assertThat(map.get(19_999, null)).hasSize(8);
            }
        }
    }

    @Test
    void put_largerThanAQuarterOfAShard_storesNothing() {
        assertThat(map.put("key", new byte[4_072])).isTrue();
        assertThat(map.put("key", new byte[4_073])).isFalse();
        assertThat(map.get("key", null)).isNull();
        assertThat(map.getOrLoad("key", () -> new byte[5_000])).hasSize(5_000);
        assertThat(map.stats().tooLarge()).isEqualTo(2);
        assertThat(map.size()).isZero();
    }

    @Test
    void onRemoval_listenerThrows_operationsAreMade() throws InterruptedException {
        List<String> uncaught = new ArrayList<>();
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 12).onRemoval((key, _, cause) -> {
            throw new UnsupportedOperationException(cause + " " + key.length);
        }).owning(MallocArena::ofShared)) {
            Thread thread = Thread.ofPlatform().unstarted(() -> {
                map.put("key", new byte[1]);
                map.put("key", new byte[2]);
                uncaught.add(map.get("key", new byte[0]).length + " bytes");
                uncaught.add("" + map.remove("key"));
            });
            thread.setUncaughtExceptionHandler((_, e) -> uncaught.add(String.valueOf(e.getMessage())));
            thread.start();
            thread.join();
        }
        assertThat(uncaught).containsExactly("REPLACED 3", "2 bytes", "REMOVED 3", "true");
    }

    @Test
    void onRemoval_listenerUsesTheCache_sees() {
        ConcurrentLruMap[] maps = new ConcurrentLruMap[1];
        List<String> calls = new ArrayList<>();
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 12).onRemoval((key, _, cause) -> {
            calls.add(key.length + " " + cause + " " + maps[0].find("other", target));
            if (cause == RemovalCause.REPLACED) {
                maps[0].remove("key");
                maps[0].getOrLoad("loaded", () -> new byte[3]);
            }
        }).owning(MallocArena::ofShared)) {
            maps[0] = map;
            map.put("other", new byte[5]);
            map.put("key", new byte[1]);
            map.put("key", new byte[2]);
            assertThat(calls).containsExactly("3 REPLACED 5", "3 REMOVED 5");
            assertThat(map.get("loaded", null)).hasSize(3);
            map.clear();
            assertThat(calls).hasSize(4).endsWith("6 REMOVED -1", "5 REMOVED -1");
        }
    }

    @Test
    void getOrLoad_loaderFails_throwsAndTheNextOneLoads() throws IOException {
        assertThatThrownBy(() -> map.getOrLoad("key", () -> {
            throw new IOException("no file");
        })).isInstanceOf(IOException.class).hasMessage("no file");
        assertThatThrownBy(() -> map.getOrLoad("key", () -> null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> map.getOrLoad("key", () -> {
            throw new StackOverflowError();
        })).isInstanceOf(StackOverflowError.class);
        byte[] loaded = {1};
        assertThat(map.getOrLoad("key", () -> loaded)).containsExactly(1);
        loaded[0] = 2;
        assertThat(map.getOrLoad("key", () -> {
            throw new IOException("not called");
        })).containsExactly(1);
        assertThat(map.stats()).extracting(CacheStatistics::hits, CacheStatistics::misses)
                .containsExactly(1L, 4L);
    }

    @Test
    void getOrLoad_loaderUsesItsOwnKey_failsClearlyOrIsOvertaken() {
        assertThatIllegalStateException()
                .isThrownBy(() -> map.getOrLoad(1, () -> map.getOrLoad(1, () -> new byte[1])))
                .withMessageStartingWith(
                        "A loader waits for its own key, which would never end: keyByteSize=8, owner=");
        assertThatIllegalStateException().isThrownBy(() -> map.getOrLoad(1, () -> map
                .getOrLoad(2, () -> map.getOrLoad(1, () -> new byte[1]))));
        assertThat(map.size()).isZero();
        assertThat(map.getOrLoad(1, () -> map.getOrLoad(2, () -> new byte[2]))).hasSize(2);
        assertThat(map.getOrLoad(3, () -> {
            assertThat(map.get(3, null)).isNull();
            map.put(3, new byte[5]);
            return new byte[6];
        })).hasSize(6);
        assertThat(map.get(3, null)).hasSize(5);
        List<Runnable> removals = List.of(() -> map.remove(4), map::clear);
        assertThat(removals).allSatisfy(removal -> {
            map.getOrLoad(4, () -> {
                removal.run();
                return map.getOrLoad(4, () -> new byte[7]);
            });
            assertThat(map.get(4, null)).hasSize(7);
            map.remove(4);
        });
    }

    @Test
    void close_twice_thenEachOperationThrows() {
        ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 16).shards(2).owning(FreeListArena::ofShared);
        map.put(1, new byte[8]);
        assertThatIllegalStateException().isThrownBy(() -> map.getOrLoad(2, () -> {
            map.close();
            return new byte[1];
        })).withMessage("Already closed: ConcurrentLruMap");
        map.close();
        assertThat(map.toString()).isEqualTo("ConcurrentLruMap: closed");
        List<Runnable> operations = List.of(map::size, map::stats, map::clear, map::removeExpired,
                () -> map.find(1, target), () -> map.get("", null), () -> map.put(1, new byte[1]), () -> map.remove(1),
                () -> map.getOrLoad(1, () -> new byte[1]));
        assertThat(operations).allSatisfy(operation -> assertThatIllegalStateException().isThrownBy(operation::run)
                .withMessage("Already closed: ConcurrentLruMap"));
    }
}
