package dev.arenakit.collection;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.MallocArena;
import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.internal.collection.bytes.KeyText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Evictions in the order of the last use, within the limit, compared with a [LinkedHashMap]; and failures.
class LruMapTest {
    private static final int HEADER = 16;

    @AutoClose
    private final LruMap map = LruMap.owning(MallocArena::ofConfined, 4_096);

    enum Action {
        PUT, GET, PUT_AGAIN, REMOVE, CONTAINS, WALK, CLEAR
    }

    private static final List<Action> ACTIONS = List.of(Action.values());

    record Operation(Action action, int key, int valueByteSize) {}

    /// A map with the same limit, on the heap.
    private static final class Subject implements OperationModel.Subject<Operation> {
        private final long limit;
        private final Map<String, String> model = new LinkedHashMap<>(16, 0.75f, true);
        private final List<String> evicted = new ArrayList<>();
        private final List<String> evictedOfModel = new ArrayList<>();
        private final LruMap map;
        private final LruMap.Value found;
        private long live;

        Subject(long limit) {
            this.limit = limit;
            map = LruMap.owning(Arena::ofConfined, limit,
                    (bytes, keyOffset, keyByteSize, valueOffset, valueByteSize) -> evicted
                            .add(entry(bytes, keyOffset, keyByteSize, valueOffset, valueByteSize)));
            found = map.newValue();
        }

        private static String entry(MemorySegment bytes, long keyOffset, int keyByteSize, long valueOffset,
                int valueByteSize) {
            assertThat(valueOffset % 8).isZero();
            return KeyText.decode(bytes, keyOffset, keyByteSize) + "="
                    + KeyText.decode(bytes, valueOffset, valueByteSize);
        }

        @Override
        public void apply(Operation operation) {
            String key = "k".repeat(operation.key % 12) + operation.key;
            String value = ("v" + operation.key).repeat(operation.valueByteSize).substring(0, operation.valueByteSize);
            switch (operation.action) {
                case PUT, PUT_AGAIN -> assertThat(map.put(key, value)).isEqualTo(putToModel(key, value));
                case GET -> {
                    String expected = model.get(key);
                    assertThat(map.getText(key, "missing")).isEqualTo(expected == null ? "missing" : expected);
                    assertThat(map.find(key, found)).isEqualTo(expected != null);
                    if (expected != null) {
                        assertThat(found.text()).isEqualTo(expected);
                    }
                }
                case REMOVE -> {
                    String removed = model.remove(key);
                    live -= removed == null ? 0 : byteSize(key, removed);
                    assertThat(map.remove(key)).isEqualTo(removed != null);
                }
                case CONTAINS -> assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
                case WALK -> check();
                case CLEAR -> {
                    map.clear();
                    model.clear();
                    live = 0;
                }
            }
            assertThat(map.size()).isEqualTo(model.size());
            assertThat(map.usedByteSize()).isEqualTo(live);
            assertThat(evicted).isEqualTo(evictedOfModel);
            evicted.clear();
            evictedOfModel.clear();
        }

        private boolean putToModel(String key, String value) {
            long byteSize = byteSize(key, value);
            String present = model.get(key);
            if (byteSize > limit / 8 * 8 / 4) {
                live -= present == null ? 0 : byteSize(key, present);
                model.remove(key);
                return false;
            }
            if (present == null || byteSize(key, present) != byteSize) {
                while (live + byteSize > limit / 8 * 8 - limit / 8 * 8 / 8) {
                    Map.Entry<String, String> oldest = model.entrySet().iterator().next();
                    evictedOfModel.add(oldest.getKey() + "=" + oldest.getValue());
                    live -= byteSize(oldest.getKey(), oldest.getValue());
                    model.remove(oldest.getKey());
                }
                live += byteSize - (present == null ? 0 : byteSize(key, present));
            }
            return model.put(key, value) == null;
        }

        private static long byteSize(String key, String value) {
            return HEADER + (key.length() + 7L) / 8 * 8 + (value.length() + 7L) / 8 * 8;
        }

        @Override
        public void check() {
            List<String> visited = new ArrayList<>();
            map.forEach((bytes, keyOffset, keyByteSize, valueOffset, valueByteSize) -> visited
                    .add(entry(bytes, keyOffset, keyByteSize, valueOffset, valueByteSize)));
            assertThat(visited).isEqualTo(
                    model.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
        }

        @Override
        public void close() {
            map.close();
        }
    }

    @Test
    void operations_atRandom_agreeWithALinkedHashMap() {
        run(18, 1_500);
    }

    @Tag("slow")
    @Test
    void operations_millionsAtRandom_agreeWithALinkedHashMap() {
        run(90, 100_000);
    }

    private static void run(int seeds, int operations) {
        for (int seed = 0; seed < seeds; seed++) {
            long limit = (1_024L << seed % 6) + 3L * seed;
            int keys = 10 << seed % 5;
            int values = (int) limit / (seed % 3 == 0 ? 3 : 20);
            new OperationModel<>(() -> new Subject(limit)).run(seed, operations, random -> {
                int choice = random.nextInt(1_000);
                Action action = ACTIONS.get(choice < 3 ? 5 + choice % 2 : choice % 5);
                return new Operation(action, random.nextInt(keys), random.nextInt(values));
            });
        }
    }

    @Test
    void put_millionsOfBytesBesideEntriesInUse_keepsThese() {
        byte[] value = new byte[500];
        try (LruMap map = LruMap.owning(MallocArena::ofConfined, 100_000)) {
            for (int i = 0; i < 40; i++) {
                map.put("used " + i, value);
            }
            for (int i = 0; i < 20_000; i++) {
                map.put((long) i, value);
                assertThat(map.get("used " + i % 40, new byte[0])).hasSize(500);
            }
            assertThat(map.containsKey("used 7") && map.containsKey(19_999) && !map.containsKey(18_000)).isTrue();
            assertThat(map.evictions()).isEqualTo(20_040 - map.size());
        }
    }

    @Test
    void put_anyNumberOfTimes_allocatesTheRingOnceAndSlots() {
        TestAllocator allocator = new TestAllocator();
        Random random = new Random(1);
        try (LruMap map = LruMap.create(allocator, 50_000)) {
            for (int i = 0; i < 50_000; i++) {
                map.put(random.nextInt(5_000), new byte[random.nextInt(200)]);
                assertThat(allocator.held()).isEqualTo(2);
            }
            assertThat(map.byteSize()).isLessThan(50_000 + 1_200 * 24);
            map.clear();
            assertThat(map.usedByteSize()).isZero();
        }
        assertThat(allocator.held()).isZero();
    }

    @Test
    void put_noMemoryForMoreSlots_evictsInstead() {
        TestAllocator allocator = new TestAllocator();
        try (LruMap map = LruMap.create(allocator, 1 << 16)) {
            allocator.refuseAfter(0);
            for (int i = 0; i < 100; i++) {
                assertThat(map.put(i, new byte[8])).isTrue();
            }
            assertThat(map.size()).isEqualTo(11);
            assertThat(map.containsKey(99) && map.containsKey(89) && !map.containsKey(88)).isTrue();
            allocator.refuseAfter(100);
            for (int i = 100; i < 200; i++) {
                map.put(i, new byte[8]);
            }
            assertThat(map.size()).isEqualTo(111);
        }
        allocator.refuseAfter(1);
        assertThatThrownBy(() -> LruMap.create(allocator, 1 << 16)).isInstanceOf(OutOfMemoryError.class);
        assertThat(allocator.held()).isZero();
    }

    @Test
    void put_largerThanAQuarter_storesNothing() {
        assertThat(map.put("key", new byte[1_000])).isTrue();
        assertThat(map.put("key", new byte[1_000]) || map.put("key", new byte[1_001])).isFalse();
        assertThat(map.containsKey("key")).isFalse();
        assertThat(map.isEmpty() && map.evictions() == 0).isTrue();
    }

    @Test
    void put_actionThrows_neitherEvictsNorStores() {
        boolean[] isFailing = {true};
        try (LruMap map = LruMap.owning(MallocArena::ofConfined, 1_024, (_, _, _, _, _) -> {
            if (isFailing[0]) {
                throw new UnsupportedOperationException("not now");
            }
        })) {
            for (int i = 0; i < 28; i++) {
                map.put(i, new byte[8]);
            }
            assertThatThrownBy(() -> map.put(28, new byte[8])).hasMessage("not now");
            assertThat(map.size()).isEqualTo(28);
            assertThat(map.containsKey(0) && !map.containsKey(28)).isTrue();
            isFailing[0] = false;
            assertThat(map.put(28, new byte[8])).isTrue();
            assertThat(map.put(28, new byte[8])).isFalse();
            assertThat(map.containsKey(28) && !map.containsKey(0)).isTrue();
        }
    }

    @Test
    void put_actionUsesTheMap_throws() {
        LruMap[] maps = new LruMap[1];
        List<Runnable> uses = List.of(() -> maps[0].put(1, new byte[8]), () -> maps[0].get(1, new byte[0]),
                () -> maps[0].close(), () -> maps[0].clear(), () -> maps[0].remove(1));
        int[] use = {0};
        try (LruMap map = LruMap.owning(MallocArena::ofConfined, 1_024,
                (_, _, _, _, _) -> uses.get(use[0]).run())) {
            maps[0] = map;
            for (int i = 0; i < 28; i++) {
                map.put(i, new byte[8]);
            }
            for (; use[0] < uses.size(); use[0]++) {
                assertThatThrownBy(() -> map.put(28, new byte[8]))
                        .isInstanceOf(ConcurrentModificationException.class)
                        .hasMessage("Used by the action of an eviction: LruMap");
            }
            assertThat(map.size()).isEqualTo(28);
            assertThatThrownBy(() -> map.forEach((_, _, _, _, _) -> map.get(3, new byte[0])))
                    .isInstanceOf(ConcurrentModificationException.class);
        }
    }

    @Test
    void find_everyFormOfKeysAndValues_findsTheSame() {
        byte[] line = "a line with a key".getBytes(java.nio.charset.StandardCharsets.UTF_8);
        MemorySegment segment = MemorySegment.ofArray(line);
        LruMap.Value value = map.newValue();
        map.put(segment, 14, 3, segment, 2, 4);
        assertThat(map.find("key", value)).isTrue();
        assertThat(value.text()).isEqualTo("line");
        assertThat(map.find(new byte[]{'k', 'e', 'y'}, value) && map.find(segment, 14, 3, value)).isTrue();
        assertThat(value.slice().isReadOnly() && value.slice().byteSize() == 4).isTrue();
        assertThat(map.get(new byte[]{'k', 'e', 'y'}, new byte[0])).isEqualTo(value.toArray());
        assertThat(map.remove(segment, 14, 3)).isTrue();
        map.put(-5, segment.asSlice(2, 4));
        assertThat(map.find(-5, value) && value.text().equals("line")).isTrue();
        map.forEach((bytes, keyOffset, _, _, _) -> assertThat(bytes.get(JAVA_LONG_UNALIGNED, keyOffset))
                .isEqualTo(-5));
        assertThat(map.remove(-5) && !map.remove(-5) && !map.find(-5, value)).isTrue();
        assertThat(map.put(new byte[0], new byte[0]) && map.containsKey("")).isTrue();
        assertThat(map.remove(new byte[0])).isTrue();
    }

    @Test
    void get_missingIsNull_needsNoCast() {
        assertThat(map.get("key", null)).isNull();
        assertThat(map.get(1, null)).isNull();
        assertThat(map.get(new byte[]{1}, null)).isNull();
        assertThat(map.getText("key", null)).isNull();
    }

    @Test
    void find_valueThatIsAStruct_isReadInPlace() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment struct = arena.allocate(POSITIONS.layout());
            for (int i = 0; i < 200; i++) {
                POSITIONS.set(struct, 0, new Position(i, i, i));
                map.put(i, struct);
            }
            LruMap.Value value = map.newValue();
            assertThat(map.find(199, value)).isTrue();
            assertThat(POSITIONS.get(value.bytes(), value.offset())).isEqualTo(new Position(199, 199, 199));
        }
    }

    @Test
    void put_closedOrWrongSegment_changesNothing() {
        Arena arena = Arena.ofConfined();
        MemorySegment closed = arena.allocate(8);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> map.put(1, closed));
        assertThat(map.isEmpty()).isTrue();
        map.put(1, new byte[]{1, 2, 3, 4, 5, 6, 7, 8});
        assertThatIllegalStateException().isThrownBy(() -> map.put(1, closed));
        assertThat(map.get(1, new byte[0])).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThatThrownBy(() -> map.put(closed, 0, 8, closed, 4, 5)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void create_limitOutOfRange_isRefused() {
        for (long limit : new long[]{Long.MIN_VALUE, 0, 1_023, (1L << 35) + 1, Long.MAX_VALUE}) {
            assertThatIllegalArgumentException().isThrownBy(() -> LruMap.owning(Arena::ofConfined, limit));
        }
        SegmentAllocator slices = SegmentAllocator.slicingAllocator(Arena.ofAuto().allocate(5_000));
        assertThatThrownBy(() -> LruMap.create(slices, 6_000)).isInstanceOf(CapacityExceededException.class);
        assertThat(LruMap.create(slices, 1_024).put(1, new byte[9])).isTrue();
    }

    @Test
    void close_twice_thenEachOperationThrows() {
        LruMap map = LruMap.owning(MallocArena::ofConfined, 4_096);
        LruMap.Value value = map.newValue();
        map.put(1, new byte[8]);
        map.close();
        map.close();
        assertThat(map.toString()).isEqualTo("LruMap: closed");
        List<Runnable> operations = List.of(map::size, map::isEmpty, map::byteSize, map::usedByteSize, map::evictions,
                map::clear, () -> map.find(1, value), () -> map.getText("", ""), () -> map.put(1, new byte[1]),
                () -> map.remove(1), () -> map.containsKey(1), () -> map.forEach((_, _, _, _, _) -> {}));
        assertThat(operations).allSatisfy(operation -> assertThatIllegalStateException().isThrownBy(operation::run));
        try (LruMap other = LruMap.owning(MallocArena::ofConfined, 4_096)) {
            assertThatIllegalArgumentException().isThrownBy(() -> other.find(1, value));
        }
    }
}
