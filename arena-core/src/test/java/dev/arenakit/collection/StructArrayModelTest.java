package dev.arenakit.collection;

import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.collection.StructModelRecords.PositionView;
import dev.arenakit.collection.StructModelRecords.Row;
import dev.arenakit.layout.ByteField;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.Field;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ShortField;
import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Unsigned;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static dev.arenakit.collection.StructModelRecords.ROWS;
import static dev.arenakit.collection.StructModelRecords.VIEWS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Random operations, compared with an [ArrayList].
class StructArrayModelTest {
    private static final LongField QUANTITY = POSITIONS.longField("quantity");
    private static final DoubleField PRICE = POSITIONS.doubleField("price");

    record Operation(int choice, int index, Position value) {
        static Operation random(Random random) {
            return new Operation(random.nextInt(1000), random.nextInt(10_000),
                    new Position(random.nextInt(), random.nextInt(50), random.nextInt(20) - 10));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "HEAP", mode = EnumSource.Mode.EXCLUDE)
    void operations_anyOfThem_agreeWithAList(ByteModelMemory memory) {
        for (int seed = 0; seed < 2; seed++) {
            ByteModel.check(seed, 1_500, Operation::random, operations -> run(memory, operations));
        }
    }

    private static void run(ByteModelMemory memory, List<Operation> operations) {
        try (ByteModelMemory.Made made = new ByteModelMemory.Made()) {
            List<Position> model = new ArrayList<>();
            try (StructArray<Position> array = memory.create(made,
                    new ByteModelMemory.Factory<>(allocator -> StructArray.create(allocator, POSITIONS),
                            arenas -> StructArray.owning(arenas, POSITIONS)))) {
                for (Operation operation : operations) {
                    apply(array, model, operation);
                    assertThat(array.size()).isEqualTo(model.size());
                }
                assertThat(POSITIONS.list(array.segment())).isEqualTo(model);
            }
            made.assertReleased(memory);
        }
    }

    private static void apply(StructArray<Position> array, List<Position> model, Operation operation) {
        Position value = operation.value;
        int choice = operation.choice;
        if (choice < 500 || model.isEmpty()) {
            model.add(value);
            assertThat(array.add(value)).isEqualTo(model.size() - 1);
            return;
        }
        int index = operation.index % model.size();
        if (choice < 600) {
            array.set(index, value);
            model.set(index, value);
        } else if (choice < 700) {
            array.setDouble(PRICE, index, value.price());
            array.view(VIEWS, index).quantity(value.quantity());
            model.set(index, new Position(model.get(index).lots(), value.quantity(), value.price()));
        } else if (choice < 980) {
            assertThat(array.get(index)).isEqualTo(model.get(index));
            assertThat(array.getLong(QUANTITY, index)).isEqualTo(model.get(index).quantity());
            assertThat(array.view(VIEWS, index).price()).isEqualTo(model.get(index).price());
        } else if (choice < 985) {
            array.sort(QUANTITY);
            model.sort(Comparator.comparingLong(Position::quantity));
            assertThat(POSITIONS.list(array.segment())).as("stable").isEqualTo(model);
            long found = array.binarySearch(QUANTITY, value.quantity());
            assertThat(found).isEqualTo(search(model, value.quantity()));
        } else if (choice < 990) {
            array.sort(PRICE);
            model.sort(Comparator.comparingDouble(Position::price));
        } else if (choice < 995) {
            array.truncate(index);
            model.subList(index, model.size()).clear();
        } else {
            assertThat(array.addZeroed(index % 50)).isEqualTo(model.size());
            for (int i = 0; i < index % 50; i++) {
                model.add(new Position(0, 0, 0));
            }
        }
    }

    private static long search(List<Position> model, long quantity) {
        long less = model.stream().filter(position -> position.quantity() < quantity).count();
        return less < model.size() && model.get((int) less).quantity() == quantity ? less : -(less + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 255, 256, 257, 5_000})
    void sort_fieldsOfEveryType_isInTheOrderOfTheirValues(int count) {
        Map<String, Comparator<Row>> orders = new LinkedHashMap<>();
        orders.put("id", Comparator.comparingLong(Row::id));
        orders.put("count", Comparator.comparingInt(Row::count));
        orders.put("price", Comparator.comparingDouble(Row::price));
        orders.put("weight", Comparator.comparingDouble(Row::weight));
        orders.put("small", Comparator.comparingInt(Row::small));
        orders.put("tiny", Comparator.comparingInt(Row::tiny));
        orders.put("letter", Comparator.comparingInt(Row::letter));
        orders.put("large", (a, b) -> Long.compareUnsigned(a.large(), b.large()));
        Map<String, Field> fields = Map.of("id", ROWS.longField("id"), "count", ROWS.intField("count"), "price",
                ROWS.doubleField("price"), "weight", ROWS.floatField("weight"), "small", ROWS.shortField("small"),
                "tiny", ROWS.byteField("tiny"), "letter", ROWS.charField("letter"), "large", ROWS.longField("large"));
        Random random = new Random(count);
        double[] special = {Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY,
                Double.MIN_VALUE};
        List<Row> model = new ArrayList<>();
        try (StructArray<Row> array = StructArray.owning(Arena::ofConfined, ROWS, count)) {
            for (int i = 0; i < count; i++) {
                double price = i % 5 == 0 ? special[random.nextInt(special.length)] : random.nextGaussian();
                Row row = new Row(random.nextLong(), random.nextInt(), price, (float) price,
                        (short) random.nextInt(), (byte) random.nextInt(), (char) random.nextInt(),
                        random.nextLong());
                model.add(row);
                array.add(row);
            }
            orders.forEach((name, order) -> {
                Field field = Objects.requireNonNull(fields.get(name));
                array.sort(field);
                model.sort(order);
                assertThat(ROWS.list(array.segment())).as(name).isEqualTo(model);
                for (int i = 0; i < count; i += 7) {
                    Row row = model.get(i);
                    long found = switch (name) {
                        case "price" -> array.binarySearch(field, row.price());
                        case "weight" -> array.binarySearch(field, row.weight());
                        case "id" -> array.binarySearch(field, row.id());
                        case "count" -> array.binarySearch(field, row.count());
                        case "small" -> array.binarySearch(field, row.small());
                        case "tiny" -> array.binarySearch(field, row.tiny());
                        case "letter" -> array.binarySearch(field, row.letter());
                        default -> array.binarySearch(field, row.large());
                    };
                    assertThat(found).as(name).isBetween(0L, (long) i);
                    assertThat(order.compare(model.get((int) found), row)).isZero();
                }
            });
        }
    }

    record Unsigneds(@Unsigned(4) int four, @Unsigned(4) long four8, @Unsigned(2) short two, @Unsigned(1) byte one,
            @Bits(32) @Unsigned(4) int bits, @Unsigned(3) int three) {}

    @Test
    void sort_unsignedNumbers_areInTheOrderOfTheirValues() {
        RecordMapper<Unsigneds> mapper = RecordMapper.of(MethodHandles.lookup(), Unsigneds.class);
        List<Field> fields = List.of(mapper.intField("four"), mapper.longField("four"), mapper.intField("four8"),
                mapper.longField("four8"), mapper.shortField("two"), mapper.intField("two"), mapper.byteField("one"),
                mapper.longField("one"), mapper.intField("bits"), mapper.longField("bits"), mapper.intField("three"));
        try (StructArray<Unsigneds> array = StructArray.owning(Arena::ofConfined, mapper)) {
            int[] numbers = {-1, 7, Integer.MIN_VALUE, 0x80, 0x7F, -5, 0, 0xFFFF, 0x8000, 0x7FFF, 0xFFFFFF};
            for (int number : numbers) {
                array.add(new Unsigneds(number, Integer.toUnsignedLong(number), (short) number, (byte) number, number,
                        number & 0xFFFFFF));
            }
            for (Field field : fields) {
                array.sort(field);
                long largest = (1L << (8 * field.type().byteSize())) - 1;
                long previous = -1;
                for (int i = 0; i < numbers.length; i++) {
                    long value = value(field, array.segment(), i * mapper.byteSize()) & largest;
                    assertThat(value).as("%s", field).isGreaterThanOrEqualTo(previous);
                    assertThat(array.binarySearch(field, value)).as("%s", field).isBetween(0L, (long) i);
                    previous = value;
                }
                assertThat(array.binarySearch(field, largest + 1)).as("%s", field).isEqualTo(-numbers.length - 1);
                assertThat(array.binarySearch(field, -1L << 40)).as("%s", field).isEqualTo(-1);
            }
            array.sort(mapper.intField("four"));
            assertThat(array.binarySearch(mapper.intField("four"), -5)).isEqualTo(numbers.length - 2);
            assertThat(array.binarySearch(mapper.longField("four"), -5)).isEqualTo(-1);
        }
    }

    private static long value(Field field, MemorySegment structs, long byteOffset) {
        return switch (field) {
            case LongField l -> l.get(structs, byteOffset);
            case IntField i -> i.get(structs, byteOffset);
            case ShortField s -> s.get(structs, byteOffset);
            case ByteField b -> b.get(structs, byteOffset);
            default -> throw new AssertionError(field);
        };
    }

    @Test
    void binarySearch_integerInAFieldOfFloatingPoint_isFound() {
        try (StructArray<Position> array = StructArray.owning(Arena::ofConfined, POSITIONS)) {
            array.add(new Position(1, 2, 3));
            array.add(new Position(1, 2, 9));
            assertThat(array.binarySearch(PRICE, 9)).isEqualTo(1);
            assertThat(array.binarySearch(PRICE, 8)).isEqualTo(-2);
        }
    }

    @Test
    void sort_fieldOfAnotherStructOrWithoutOrder_isRefused() {
        try (StructArray<Position> array = StructArray.owning(Arena::ofConfined, POSITIONS)) {
            assertThatThrownBy(() -> array.sort(ROWS.longField("id"))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> array.binarySearch(QUANTITY, 1.5)).isInstanceOf(IllegalArgumentException.class);
            // Also without structs.
            assertThatThrownBy(() -> array.sort(POSITIONS.field("price")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Field has no order: ");
            assertThatThrownBy(() -> array.binarySearch(POSITIONS.field("quantity"), 1))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void view_ofAnArrayThatHasGrown_throws() {
        try (StructArray<Position> array = StructArray.owning(Arena::ofConfined, POSITIONS)) {
            array.add(new Position(1, 2, 3));
            PositionView view = array.view(VIEWS, 0);
            array.addZeroed(1_000);
            assertThatThrownBy(view::price).isInstanceOf(IllegalStateException.class);
            assertThat(array.get(0)).isEqualTo(new Position(1, 2, 3));
        }
    }

    @Test
    void get_outsideOfTheStructs_throws() {
        try (StructArray<Position> array = StructArray.owning(Arena::ofConfined, POSITIONS, 100)) {
            array.add(new Position(1, 2, 3));
            assertThatThrownBy(() -> array.get(1)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("No such struct: index=1, size=1");
            assertThatThrownBy(() -> array.getLong(QUANTITY, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
