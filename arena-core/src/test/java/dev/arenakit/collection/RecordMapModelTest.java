package dev.arenakit.collection;

import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.collection.StructModelRecords.PositionView;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static dev.arenakit.collection.StructModelRecords.VIEWS;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Random operations, compared with a [HashMap].
class RecordMapModelTest {
    private static final LongField QUANTITY = POSITIONS.longField("quantity");
    private static final DoubleField PRICE = POSITIONS.doubleField("price");

    @AutoClose
    private final RecordMap<OrderKey, Position> map = RecordMap.owning(Arena::ofConfined, KEYS, POSITIONS);

    record Amount(double value) {}

    record Operation(int choice, OrderKey key, Position value) {
        static Operation random(Random random) {
            OrderKey key = new OrderKey((byte) random.nextInt(4), random.nextInt(300), "V" + random.nextInt(3));
            return new Operation(random.nextInt(1000), key,
                    new Position(random.nextInt(), random.nextLong(), random.nextDouble()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HEAP", mode = EnumSource.Mode.EXCLUDE)
    void operations_anyOfThem_agreeWithAHashMap(ByteModelMemory memory) {
        for (int seed = 0; seed < 1; seed++) {
            ByteModel.check(seed, 3_000, Operation::random, operations -> run(memory, operations));
        }
    }

    @Test
    void access_byAKeyThatDoesNotFit_findsAndAddsNothing() {
        OrderKey longer = new OrderKey((byte) 1, 2, "VENUES");
        Position missing = new Position(0, 0, 0);
        Position present = new Position(1, 2, 3);
        map.put(new OrderKey((byte) 1, 2, "VENUE"), present);
        assertThat(map.get(longer, missing)).isSameAs(missing);
        assertThat(map.containsKey(longer)).isFalse();
        assertThat(map.getLong(QUANTITY, longer, -1)).isEqualTo(-1);
        assertThat(map.getDouble(PRICE, longer, -1)).isEqualTo(-1);
        assertThat(map.remove(longer)).isFalse();
        assertThat(map.getAndRemove(longer, missing)).isSameAs(missing);
        assertThatThrownBy(() -> map.view(VIEWS, longer)).isInstanceOf(NoSuchElementException.class);
        List<ThrowingCallable> additions = List.of(() -> map.put(longer, present),
                () -> map.putIfAbsent(longer, present), () -> map.getAndPut(longer, present, missing),
                () -> map.setLong(QUANTITY, longer, 1), () -> map.setDouble(PRICE, longer, 1),
                () -> map.addTo(QUANTITY, longer, 1));
        assertThat(additions).allSatisfy(addition -> assertRefused(addition, "Text is too long: "));
        assertThat(map.size()).isEqualTo(1);
        assertThat(map.getAndRemove(new OrderKey((byte) 1, 2, "VENUE"), missing)).isEqualTo(present);
    }

    @Test
    void put_numbersWithOtherBits_areOtherKeys() {
        RecordMapper<Amount> numbers = RecordMapper.of(MethodHandles.lookup(), Amount.class);
        try (RecordMap<Amount, Position> map = RecordMap.owning(Arena::ofConfined, numbers, POSITIONS)) {
            assertThat(map.put(new Amount(0.0), new Position(1, 1, 1))).isTrue();
            assertThat(map.put(new Amount(-0.0), new Position(2, 2, 2))).isTrue();
            assertThat(map.put(new Amount(Double.NaN), new Position(3, 3, 3))).isTrue();
            assertThat(map.put(new Amount(Double.NaN), new Position(4, 4, 4))).isFalse();
            assertThat(map.size()).isEqualTo(3);
        }
    }

    record Large(@Length(30_000) String text) {}

    @Test
    void put_expectedAmountOfLargeValues_doesNotGrow() {
        RecordMapper<Large> larges = RecordMapper.of(MethodHandles.lookup(), Large.class);
        TestAllocator allocator = new TestAllocator();
        try (RecordMap<OrderKey, Large> map = RecordMap.create(allocator, KEYS, larges, 20)) {
            long requests = allocator.requests();
            for (int i = 0; i < 20; i++) {
                map.put(new OrderKey((byte) 0, i, ""), new Large("text"));
            }
            assertThat(allocator.requests()).isEqualTo(requests);
        }
    }

    @Test
    void create_anyExpectedSize_isCheckedWithoutOverflow() {
        RecordMapper<Large> larges = RecordMapper.of(MethodHandles.lookup(), Large.class);
        for (long expected : new long[]{1L << 48, 1L << 61, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> RecordMap.owning(Arena::ofConfined, KEYS, larges, expected))
                    .isInstanceOf(OutOfMemoryError.class);
        }
    }

    @Test
    void setLong_numberThatDoesNotFit_addsNothing() {
        RecordMapper<Small> smalls = RecordMapper.of(MethodHandles.lookup(), Small.class);
        LongField number = smalls.longField("number");
        OrderKey key = new OrderKey((byte) 0, 1, "");
        try (RecordMap<OrderKey, Small> map = RecordMap.owning(Arena::ofConfined, KEYS, smalls)) {
            assertThatThrownBy(() -> map.setLong(number, key, -1)).isInstanceOf(IllegalArgumentException.class);
            assertThat(map.isEmpty()).isTrue();
            assertThat(map.setLong(number, key, 7)).isTrue();
            assertThatThrownBy(() -> map.addTo(number, key, -8)).isInstanceOf(IllegalArgumentException.class);
            assertThat(map.get(key, new Small(0))).isEqualTo(new Small(7));
        }
    }

    record Small(@Unsigned(4) long number) {}

    @Test
    void view_absentKey_throws() {
        assertThatThrownBy(() -> map.view(VIEWS, new OrderKey((byte) 1, 2, "X")))
                .isInstanceOf(java.util.NoSuchElementException.class);
    }

    @Test
    void view_ofAMapThatHasGrown_throws() {
        OrderKey key = new OrderKey((byte) 1, -1, "X");
        map.put(key, new Position(1, 2, 3));
        PositionView view = map.view(VIEWS, key).quantity(7);
        assertThat(map.get(key, new Position(0, 0, 0)).quantity()).isEqualTo(7);
        for (int i = 0; i < 1_000; i++) {
            map.put(new OrderKey((byte) 0, i, ""), new Position(i, i, i));
        }
        assertThatThrownBy(view::quantity).isInstanceOf(IllegalStateException.class);
    }

    private static void run(ByteModelMemory memory, List<Operation> operations) {
        try (ByteModelMemory.Made made = new ByteModelMemory.Made()) {
            Map<OrderKey, Position> model = new HashMap<>();
            try (RecordMap<OrderKey, Position> map = memory.create(made,
                    new ByteModelMemory.Factory<>(allocator -> RecordMap.create(allocator, KEYS, POSITIONS),
                            arenas -> RecordMap.owning(arenas, KEYS, POSITIONS)))) {
                for (Operation operation : operations) {
                    apply(map, model, operation);
                    assertThat(map.size()).isEqualTo(model.size());
                }
                assertSame(map, model);
            }
            made.assertReleased(memory);
        }
    }

    private static void apply(RecordMap<OrderKey, Position> map, Map<OrderKey, Position> model, Operation operation) {
        OrderKey key = operation.key;
        Position value = operation.value;
        Position missing = new Position(-1, -1, -1);
        int choice = operation.choice;
        if (choice < 350) {
            assertThat(map.put(key, value)).isEqualTo(model.put(key, value) == null);
        } else if (choice < 450) {
            long delta = value.quantity();
            Position before = model.getOrDefault(key, new Position(0, 0, 0));
            model.put(key, new Position(before.lots(), before.quantity() + delta, before.price()));
            assertThat(map.addTo(QUANTITY, key, delta)).isEqualTo(before.quantity() + delta);
        } else if (choice < 500) {
            Position before = model.getOrDefault(key, new Position(0, 0, 0));
            boolean isNew = model.put(key, new Position(before.lots(), value.quantity(), value.price())) == null;
            assertThat(map.setLong(QUANTITY, key, value.quantity())).isEqualTo(isNew);
            assertThat(map.setDouble(PRICE, key, value.price())).isFalse();
        } else if (choice < 720) {
            assertThat(map.remove(key)).isEqualTo(model.remove(key) != null);
        } else if (choice < 740) {
            change(map, model, operation);
        } else if (choice < 997) {
            Position expected = model.getOrDefault(key, missing);
            assertThat(map.get(key, missing)).isEqualTo(expected);
            assertThat(map.getLong(QUANTITY, key, -1)).isEqualTo(expected.quantity());
            assertThat(map.getDouble(PRICE, key, -1)).isEqualTo(expected.price());
            assertThat(map.containsKey(key)).isEqualTo(model.containsKey(key));
            if (model.containsKey(key)) {
                assertThat(map.view(VIEWS, key).price()).isEqualTo(expected.price());
            }
        } else if (choice < 999) {
            assertSame(map, model);
        } else {
            map.clear();
            model.clear();
        }
    }

    private static void change(RecordMap<OrderKey, Position> map, Map<OrderKey, Position> model,
            Operation operation) {
        OrderKey key = operation.key;
        Position value = operation.value;
        Position missing = new Position(-1, -1, -1);
        Position before = model.getOrDefault(key, missing);
        switch (operation.choice % 5) {
            case 0 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value) == null);
            case 1 -> {
                assertThat(map.getAndPut(key, value, missing)).isEqualTo(before);
                model.put(key, value);
            }
            case 2 -> {
                assertThat(map.getAndRemove(key, missing)).isEqualTo(before);
                model.remove(key);
            }
            case 3 -> {
                long size = model.size();
                model.keySet().removeIf(each -> each.account() % 5 == value.lots() % 5);
                assertThat(map.removeIf((each, _) -> each.account() % 5 == value.lots() % 5))
                        .isEqualTo(size - model.size());
                map.shrink();
            }
            default -> {
                try (RecordMap<OrderKey, Position> other = RecordMap.owning(Arena::ofConfined, KEYS, POSITIONS)) {
                    other.putAll(map);
                    map.clear();
                    map.putAll(other);
                    map.putAll(map);
                }
            }
        }
    }

    private static void assertSame(RecordMap<OrderKey, Position> map, Map<OrderKey, Position> model) {
        Map<OrderKey, Position> visited = new HashMap<>();
        map.forEach(visited::put);
        assertThat(visited).isEqualTo(model);
        for (RecordMap<OrderKey, Position>.Cursor cursor = map.cursor(); cursor.moveNext();) {
            Position expected = Objects.requireNonNull(model.get(cursor.key()));
            assertThat(cursor.view(VIEWS).quantity()).isEqualTo(expected.quantity());
            assertThat(QUANTITY.get(cursor.bytes(), cursor.valueOffset())).isEqualTo(expected.quantity());
            assertThat(KEYS.get(cursor.bytes(), cursor.keyOffset())).isEqualTo(cursor.key());
        }
    }
}
