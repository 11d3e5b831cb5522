package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares each map with a [HashMap], under random operations.
class MapModelTest {
    /// The kinds of maps, each seen as a map to longs.
    enum Kind {
        ORDERED, TAGGED, INT;

        LongLongMap open() {
            return switch (this) {
                case ORDERED -> LongLongMap.owning(MallocArena::ofConfined);
                case TAGGED -> LongLongMap.tagged().owning(Arena::ofConfined);
                case INT -> throw new IllegalArgumentException();
            };
        }
    }

    enum Action {
        PUT, ADD, REMOVE, GET, CLEAR
    }

    record Operation(Action action, long key, int value) {}

    /// A map, seen as a map from longs to ints.
    interface Tested extends AutoCloseable {
        long get(long key, int missing);

        boolean put(long key, int value);

        boolean remove(long key);

        long addTo(long key, int delta);

        void clear();

        long size();

        Map<Long, Long> entries();

        long sumByCursor();

        void negateByCursor();

        boolean isEmpty();

        @Override
        void close();

        static Tested open(Kind kind) {
            return kind == Kind.INT
                    ? new Ints(LongIntMap.owning(MallocArena::ofConfined))
                    : new Longs(kind.open());
        }
    }

    record Longs(LongLongMap map) implements Tested {
        @Override
        public long get(long key, int missing) {
            return map.get(key, missing);
        }

        @Override
        public boolean put(long key, int value) {
            return map.put(key, value);
        }

        @Override
        public boolean remove(long key) {
            return map.remove(key);
        }

        @Override
        public long addTo(long key, int delta) {
            return map.addTo(key, delta);
        }

        @Override
        public void clear() {
            map.clear();
        }

        @Override
        public long size() {
            return map.size();
        }

        @Override
        public Map<Long, Long> entries() {
            Map<Long, Long> entries = new HashMap<>();
            map.forEach((key, value) -> assertThat(entries.put(key, value)).as("visited once").isNull());
            return entries;
        }

        @Override
        public long sumByCursor() {
            long sum = 0;
            for (LongLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                sum += cursor.key() * 31 + cursor.value();
            }
            return sum;
        }

        @Override
        public void negateByCursor() {
            for (LongLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                cursor.setValue(-cursor.value());
            }
        }

        @Override
        public boolean isEmpty() {
            return map.isEmpty();
        }

        @Override
        public void close() {
            map.close();
        }
    }

    record Ints(LongIntMap map) implements Tested {
        @Override
        public long get(long key, int missing) {
            return map.get(key, missing);
        }

        @Override
        public boolean put(long key, int value) {
            return map.put(key, value);
        }

        @Override
        public boolean remove(long key) {
            return map.remove(key);
        }

        @Override
        public long addTo(long key, int delta) {
            return map.addTo(key, delta);
        }

        @Override
        public void clear() {
            map.clear();
        }

        @Override
        public long size() {
            return map.size();
        }

        @Override
        public Map<Long, Long> entries() {
            Map<Long, Long> entries = new HashMap<>();
            map.forEach((key, value) -> assertThat(entries.put(key, (long) value)).as("visited once").isNull());
            return entries;
        }

        @Override
        public long sumByCursor() {
            long sum = 0;
            for (LongIntMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                sum += cursor.key() * 31 + cursor.value();
            }
            return sum;
        }

        @Override
        public void negateByCursor() {
            for (LongIntMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                cursor.setValue(-cursor.value());
            }
        }

        @Override
        public boolean isEmpty() {
            return map.isEmpty();
        }

        @Override
        public void close() {
            map.close();
        }
    }

    private static final class Subject implements OperationModel.Subject<Operation> {
        private static final int MISSING = -77;

        private final Tested map;
        private final Map<Long, Integer> model = new HashMap<>();

        Subject(Kind kind) {
            map = Tested.open(kind);
        }

        @Override
        public void apply(Operation operation) {
            long key = operation.key;
            int value = operation.value;
            switch (operation.action) {
                case PUT -> same(map.put(key, value), model.put(key, value) == null);
                case ADD -> same(map.addTo(key, value), (long) model.merge(key, value, Integer::sum));
                case REMOVE -> same(map.remove(key), model.remove(key) != null);
                case GET -> same(map.get(key, MISSING), (long) model.getOrDefault(key, MISSING));
                case CLEAR -> {
                    map.clear();
                    model.clear();
                }
            }
            same(map.size(), (long) model.size());
        }

        private static void same(Object actual, Object expected) {
            if (!actual.equals(expected)) {
                throw new AssertionError("actual=" + actual + ", expected=" + expected);
            }
        }

        @Override
        public void check() {
            Map<Long, Long> expected = new HashMap<>();
            model.forEach((key, value) -> expected.put(key, (long) value));
            assertThat(map.entries()).isEqualTo(expected);
            long sum = expected.entrySet().stream().mapToLong(entry -> entry.getKey() * 31 + entry.getValue()).sum();
            assertThat(map.sumByCursor()).isEqualTo(sum);
            expected.forEach((key, value) -> same(map.get(key, MISSING), value));
        }

        @Override
        public void close() {
            map.close();
        }
    }

    /// Operations on few keys collide, and operations on many keys grow the map.
    private static OperationModel.Generator<Operation> generator(long seed) {
        int keys = 1 << (int) (seed % 17);
        int shift = (int) (seed * 7 % 50);
        return random -> {
            int choice = random.nextInt(10_000);
            Action action = choice == 0 ? Action.CLEAR : Action.values()[choice % 4];
            long key = random.nextInt(50) == 0
                    ? random.nextBoolean() ? 0 : -1
                    : (long) random.nextInt(keys) << shift;
            return new Operation(action, key, random.nextInt(2000) - 1000);
        };
    }

    @ParameterizedTest
    @EnumSource
    void operations_atRandom_agreeWithAHashMap(Kind kind) {
        run(kind, 34, 4_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource
    void operations_millionsAtRandom_agreeWithAHashMap(Kind kind) {
        run(kind, 100, 500_000);
    }

    private static void run(Kind kind, int seeds, int operations) {
        for (int seed = 0; seed < seeds; seed++) {
            new OperationModel<Operation>(() -> new Subject(kind)).run(seed, operations, generator(seed));
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_growthAtEachBoundary_keepsAllEntries(Kind kind) {
        Random random = new Random(1);
        long[] keys = random.longs(20_000).distinct().toArray();
        try (Tested map = Tested.open(kind)) {
            for (int i = 0; i < keys.length; i++) {
                map.put(keys[i], i);
                // Checks the entries around each size, and sometimes all entries.
                for (int j = i < 300 ? 0 : i - 1; j <= i; j++) {
                    assertThat(map.get(keys[j], -1)).isEqualTo(j);
                }
            }
            for (int i = keys.length - 1; i >= 0; i--) {
                assertThat(map.remove(keys[i])).isTrue();
                assertThat(map.get(keys[i], -1)).isEqualTo(-1);
                if (i > 0) {
                    assertThat(map.get(keys[i / 2], -1)).isEqualTo(i / 2);
                }
            }
            assertThat(map.size()).isZero();
            assertThat(map.entries()).isEmpty();
        }
    }

    @Test
    void moveNext_afterTheLifetimeOfTheMap_throwsThatItIsClosed() {
        for (boolean isLast : new boolean[]{false, true}) {
            for (boolean isClosed : new boolean[]{false, true}) {
                Arena arena = Arena.ofConfined();
                LongLongMap ordered = LongLongMap.create(arena);
                LongLongMap tagged = LongLongMap.tagged().create(arena);
                LongIntMap ints = LongIntMap.create(arena);
                LongLongMap.Cursor orderedCursor = ordered.cursor();
                LongLongMap.Cursor taggedCursor = tagged.cursor();
                LongIntMap.Cursor intCursor = ints.cursor();
                if (isLast) {
                    assertThat(orderedCursor.moveNext() || taggedCursor.moveNext() || intCursor.moveNext()).isFalse();
                }
                if (isClosed) {
                    ordered.close();
                    tagged.close();
                    ints.close();
                }
                arena.close();
                assertThatIllegalStateException().isThrownBy(orderedCursor::moveNext);
                assertThatIllegalStateException().isThrownBy(taggedCursor::moveNext);
                assertThatIllegalStateException().isThrownBy(intCursor::moveNext);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void setValue_ofEachEntry_replacesTheValues(Kind kind) {
        Random random = new Random(1);
        try (Tested map = Tested.open(kind)) {
            assertThat(map.isEmpty()).isTrue();
            random.longs(1000).forEach(key -> map.put(key, (int) key));
            assertThat(map.isEmpty()).isFalse();
            map.negateByCursor();
            Map<Long, Long> entries = map.entries();
            assertThat(entries).hasSize(1000);
            assertThat(entries).allSatisfy((key, value) -> assertThat(value).isEqualTo(-(int) (long) key));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERED", "TAGGED"})
    void setValue_withoutAnEntry_throws(Kind kind) {
        try (LongLongMap map = kind.open()) {
            map.put(1, 2);
            LongLongMap.Cursor cursor = map.cursor();
            assertThatIllegalStateException().isThrownBy(() -> cursor.setValue(3));
            assertThat(cursor.moveNext()).isTrue();
            cursor.setValue(3);
            assertThat(cursor.value()).isEqualTo(3);
            assertThat(map.get(1, 0)).isEqualTo(3);
            assertThat(cursor.moveNext()).isFalse();
            assertThatIllegalStateException().isThrownBy(() -> cursor.setValue(4));
            LongLongMap.Cursor stale = map.cursor();
            assertThat(stale.moveNext()).isTrue();
            map.put(2, 2);
            assertThatThrownBy(() -> stale.setValue(5)).isInstanceOf(ConcurrentModificationException.class);
            assertThat(map.get(1, 0)).isEqualTo(3);
        }
    }
}
