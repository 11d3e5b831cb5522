package dev.arenakit.collection;

import dev.arenakit.MallocArena;
import java.lang.foreign.Arena;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
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
        PUT, ADD, REMOVE, GET, PUT_IF_ABSENT, GET_AND_PUT, GET_AND_REMOVE, TRY_PUT, CLEAR, REMOVE_IF, SHRINK, PUT_ALL
    }

    record Operation(Action action, long key, int value) {}

    /// The methods of a map, seen as a map from longs to ints.
    ///
    /// @param removeIfEven removes the entries whose values have an even sum with a number
    /// @param putAll       moves the entries to another map and back
    record Tested(Runnable closing, LongToIntToLong get, LongAndInt put, LongPredicate remove, LongToIntToLong addTo,
            LongAndInt putIfAbsent, GetAndPut getAndPut, LongToIntToLong getAndRemove, LongAndInt tryPut,
            LongUnaryOperator removeIfEven, Runnable putAll, Runnable shrink, LongSupplier byteSize, Runnable clear,
            LongSupplier size, BooleanSupplier isEmpty, Consumer<BiConsumer<Long, Long>> forEach,
            LongSupplier sumByCursor, Runnable negateByCursor) implements AutoCloseable {
        interface LongToIntToLong {
            long apply(long key, int value);
        }

        interface LongAndInt {
            boolean test(long key, int value);
        }

        interface GetAndPut {
            long apply(long key, int value, int missing);
        }

        static Tested open(Kind kind) {
            return kind == Kind.INT ? of(LongIntMap.owning(MallocArena::ofConfined)) : of(kind.open());
        }

        private static Tested of(LongLongMap map) {
            return new Tested(map::close, map::get, map::put, map::remove, map::addTo, map::putIfAbsent, map::getAndPut,
                    map::getAndRemove, map::tryPut,
                    number -> map.removeIf((_, value) -> ((value + number) & 1) == 0), () -> {
                        try (LongLongMap other = LongLongMap.owning(MallocArena::ofConfined)) {
                            other.putAll(map);
                            map.clear();
                            map.putAll(other);
                        }
                    }, map::shrink, map::byteSize, map::clear, map::size, map::isEmpty,
                    entries -> map.forEach(entries::accept), () -> {
                        long sum = 0;
                        for (LongLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                            sum += cursor.key() * 31 + cursor.value();
                        }
                        return sum;
                    }, () -> {
                        for (LongLongMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                            cursor.setValue(-cursor.value());
                        }
                    });
        }

        private static Tested of(LongIntMap map) {
            return new Tested(map::close, map::get, map::put, map::remove, map::addTo, map::putIfAbsent, map::getAndPut,
                    map::getAndRemove, map::tryPut,
                    number -> map.removeIf((_, value) -> ((value + number) & 1) == 0), () -> {
                        try (LongIntMap other = LongIntMap.owning(MallocArena::ofConfined)) {
                            other.putAll(map);
                            map.clear();
                            map.putAll(other);
                        }
                    }, map::shrink, map::byteSize, map::clear, map::size, map::isEmpty,
                    entries -> map.forEach((key, value) -> entries.accept(key, (long) value)), () -> {
                        long sum = 0;
                        for (LongIntMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                            sum += cursor.key() * 31 + cursor.value();
                        }
                        return sum;
                    }, () -> {
                        for (LongIntMap.Cursor cursor = map.cursor(); cursor.moveNext();) {
                            cursor.setValue(-cursor.value());
                        }
                    });
        }

        Map<Long, Long> entries() {
            Map<Long, Long> entries = new HashMap<>();
            forEach.accept((key, value) -> assertThat(entries.put(key, value)).as("visited once").isNull());
            return entries;
        }

        @Override
        public void close() {
            closing.run();
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
                case PUT -> same(map.put.test(key, value), model.put(key, value) == null);
                case ADD -> same(map.addTo.apply(key, value), (long) model.merge(key, value, Integer::sum));
                case REMOVE -> same(map.remove.test(key), model.remove(key) != null);
                case GET -> same(map.get.apply(key, MISSING), (long) model.getOrDefault(key, MISSING));
                case PUT_IF_ABSENT -> same(map.putIfAbsent.test(key, value), model.putIfAbsent(key, value) == null);
                case GET_AND_PUT -> {
                    Integer replaced = model.put(key, value);
                    same(map.getAndPut.apply(key, value, MISSING), (long) (replaced == null ? MISSING : replaced));
                }
                case GET_AND_REMOVE -> {
                    Integer removed = model.remove(key);
                    same(map.getAndRemove.apply(key, MISSING), (long) (removed == null ? MISSING : removed));
                }
                case TRY_PUT -> {
                    long byteSize = map.byteSize.getAsLong();
                    if (map.tryPut.test(key, value)) {
                        model.put(key, value);
                    } else {
                        same(model.containsKey(key), false);
                    }
                    same(map.byteSize.getAsLong(), byteSize);
                }
                case CLEAR -> {
                    map.clear.run();
                    model.clear();
                }
                case REMOVE_IF -> {
                    long before = model.size();
                    model.values().removeIf(each -> ((each + value) & 1) == 0);
                    same(map.removeIfEven.applyAsLong(value), before - model.size());
                }
                case SHRINK -> {
                    long byteSize = map.byteSize.getAsLong();
                    map.shrink.run();
                    same(map.byteSize.getAsLong() <= byteSize, true);
                }
                case PUT_ALL -> map.putAll.run();
            }
            same(map.size.getAsLong(), (long) model.size());
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
            assertThat(map.sumByCursor.getAsLong()).isEqualTo(sum);
            expected.forEach((key, value) -> same(map.get.apply(key, MISSING), value));
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
            // The last four actions are rare.
            Action action = choice < 12
                    ? Action.values()[8 + choice % 4]
                    : Action.values()[choice % 2 == 0 ? 0 : choice / 2 % 8];
            long key = random.nextInt(50) == 0
                    ? random.nextBoolean() ? 0 : -1
                    : (long) random.nextInt(keys) << shift;
            return new Operation(action, key, random.nextInt(2000) - 1000);
        };
    }

    @ParameterizedTest
    @EnumSource
    void operations_atRandom_agreeWithAHashMap(Kind kind) {
        run(kind, 17, 4_000);
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
            assertThat(map.isEmpty.getAsBoolean()).isTrue();
            random.longs(1000).forEach(key -> map.put.test(key, (int) key));
            assertThat(map.isEmpty.getAsBoolean()).isFalse();
            map.negateByCursor.run();
            Map<Long, Long> entries = map.entries();
            assertThat(entries).hasSize(1000);
            assertThat(entries).allSatisfy((key, value) -> assertThat(value).isEqualTo(-(int) (long) key));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERED", "TAGGED"})
    void remove_byTheCursor_continuesWithTheNextEntry(Kind kind) {
        try (LongLongMap map = kind.open()) {
            for (int i = 0; i < 1_000; i++) {
                map.put(i, i);
            }
            LongLongMap.Cursor cursor = map.cursor();
            assertThatIllegalStateException().isThrownBy(cursor::remove);
            long visited = 0;
            while (cursor.moveNext()) {
                visited += cursor.key();
                if (cursor.key() % 3 != 0) {
                    cursor.remove();
                    assertThatIllegalStateException().isThrownBy(cursor::remove);
                    assertThatIllegalStateException().isThrownBy(() -> cursor.setValue(1));
                }
            }
            assertThat(visited).as("each once").isEqualTo(999 * 1_000 / 2);
            assertThat(map.size()).isEqualTo(334);
            map.forEach((key, _) -> assertThat(key % 3).isZero());
            assertThatThrownBy(() -> map.removeIf((_, _) -> map.remove(3)))
                    .isInstanceOf(ConcurrentModificationException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shrink_afterAPeak_takesTheMemoryOfTheEntries(Kind kind) {
        try (Tested map = Tested.open(kind)) {
            for (int i = 0; i < 20_000; i++) {
                map.put.test(i, i);
            }
            for (int i = 100; i < 20_000; i++) {
                boolean _ = map.remove.test(i);
            }
            map.shrink.run();
            assertThat(map.byteSize.getAsLong()).isLessThan(4_000);
            long least = map.byteSize.getAsLong();
            map.shrink.run();
            assertThat(map.byteSize.getAsLong()).isEqualTo(least);
            for (int i = 0; i < 100; i++) {
                assertThat(map.get.apply(i, -1)).isEqualTo(i);
            }
        }
    }

    @Test
    void shrink_memoryThatCannotBeFreed_keepsTheTable() {
        try (Arena arena = Arena.ofConfined(); LongLongMap map = LongLongMap.create(arena, 1_000)) {
            long byteSize = map.byteSize();
            map.shrink();
            assertThat(map.byteSize()).isEqualTo(byteSize);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ORDERED", "TAGGED"})
    void tryPut_fullMap_allocatesNothing(Kind kind) {
        TestAllocator allocator = new TestAllocator();
        try (LongLongMap map = kind == Kind.TAGGED
                ? LongLongMap.tagged().create(allocator, 100)
                : LongLongMap.create(allocator, 100)) {
            allocator.refuseAfter(0);
            int entries = 0;
            while (map.tryPut(entries, 1)) {
                entries++;
            }
            assertThat(entries).isGreaterThanOrEqualTo(100);
            assertThat(map.size()).isEqualTo(entries);
            assertThat(map.tryPut(0, 2)).as("a key that is present").isTrue();
            assertThat(map.get(0, 0)).isEqualTo(2);
            assertThatThrownBy(() -> map.put(-1, 1)).isInstanceOf(OutOfMemoryError.class);
            map.remove(0);
            assertThat(map.tryPut(entries, 1)).isTrue();
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
