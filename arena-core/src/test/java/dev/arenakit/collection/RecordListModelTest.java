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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static dev.arenakit.collection.StructModelRecords.ROWS;
import static dev.arenakit.collection.StructModelRecords.VIEWS;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Random operations, compared with an [ArrayList].
class RecordListModelTest {
    private static final LongField QUANTITY = POSITIONS.longField("quantity");
    private static final DoubleField PRICE = POSITIONS.doubleField("price");

    @AutoClose
    private final RecordList<Position> list = RecordList.owning(Arena::ofConfined, POSITIONS);

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
            try (RecordList<Position> list = memory.create(made,
                    new ByteModelMemory.Factory<>(allocator -> RecordList.create(allocator, POSITIONS),
                            arenas -> RecordList.owning(arenas, POSITIONS)))) {
                for (Operation operation : operations) {
                    apply(list, model, operation);
                    assertThat(list.size()).isEqualTo(model.size());
                }
                assertThat(POSITIONS.list(list.segment())).isEqualTo(model);
            }
            made.assertReleased(memory);
        }
    }

    private static void apply(RecordList<Position> list, List<Position> model, Operation operation) {
        Position value = operation.value;
        int choice = operation.choice;
        if (choice < 500 || model.isEmpty()) {
            model.add(value);
            assertThat(list.add(value)).isEqualTo(model.size() - 1);
            return;
        }
        int index = operation.index % model.size();
        if (choice < 600) {
            list.set(index, value);
            model.set(index, value);
        } else if (choice < 700) {
            list.setDouble(PRICE, index, value.price());
            list.view(VIEWS, index).quantity(value.quantity());
            model.set(index, new Position(model.get(index).lots(), value.quantity(), value.price()));
        } else if (choice < 980) {
            assertThat(list.get(index)).isEqualTo(model.get(index));
            assertThat(list.getLong(QUANTITY, index)).isEqualTo(model.get(index).quantity());
            assertThat(list.view(VIEWS, index).price()).isEqualTo(model.get(index).price());
        } else if (choice < 985) {
            list.sort(QUANTITY);
            model.sort(Comparator.comparingLong(Position::quantity));
            assertThat(POSITIONS.list(list.segment())).as("stable").isEqualTo(model);
            long found = list.binarySearch(QUANTITY, value.quantity());
            assertThat(found).isEqualTo(search(model, value.quantity()));
        } else if (choice < 990) {
            list.sort(PRICE);
            model.sort(Comparator.comparingDouble(Position::price));
        } else if (choice < 994) {
            list.truncate(index);
            model.subList(index, model.size()).clear();
        } else if (choice < 998) {
            change(list, model, index, (int) value.quantity());
        } else {
            assertThat(list.addZeroed(index % 50)).isEqualTo(model.size());
            for (int i = 0; i < index % 50; i++) {
                model.add(new Position(0, 0, 0));
            }
        }
    }

    private static void change(RecordList<Position> list, List<Position> model, int index, int number) {
        switch (number % 5) {
            case 0 -> assertThat(list.removeLast()).isEqualTo(model.removeLast());
            case 1 -> {
                list.swapRemove(index);
                model.set(index, model.getLast());
                model.removeLast();
            }
            case 2 -> {
                int to = index + number % (model.size() - index + 1);
                list.sort(QUANTITY, index, to);
                model.subList(index, to).sort(Comparator.comparingLong(Position::quantity));
            }
            case 3 -> list.shrink();
            default -> {
                List<Position> visited = new ArrayList<>();
                list.forEach(visited::add);
                assertThat(visited).isEqualTo(model);
                assertThat(list.stream().toList()).isEqualTo(model);
                if (number % 10 == 4) {
                    list.clear();
                    model.clear();
                }
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
        try (RecordList<Row> list = RecordList.owning(Arena::ofConfined, ROWS, count)) {
            for (int i = 0; i < count; i++) {
                double price = i % 5 == 0 ? special[random.nextInt(special.length)] : random.nextGaussian();
                Row row = new Row(random.nextLong(), random.nextInt(), price, (float) price,
                        (short) random.nextInt(), (byte) random.nextInt(), (char) random.nextInt(),
                        random.nextLong());
                model.add(row);
                list.add(row);
            }
            orders.forEach((name, order) -> {
                Field field = Objects.requireNonNull(fields.get(name));
                list.sort(field);
                model.sort(order);
                assertThat(ROWS.list(list.segment())).as(name).isEqualTo(model);
                for (int i = 0; i < count; i += 7) {
                    Row row = model.get(i);
                    long found = switch (name) {
                        case "price" -> list.binarySearch(field, row.price());
                        case "weight" -> list.binarySearch(field, row.weight());
                        case "id" -> list.binarySearch(field, row.id());
                        case "count" -> list.binarySearch(field, row.count());
                        case "small" -> list.binarySearch(field, row.small());
                        case "tiny" -> list.binarySearch(field, row.tiny());
                        case "letter" -> list.binarySearch(field, row.letter());
                        default -> list.binarySearch(field, row.large());
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
        List<Field> fields = List.of(mapper.intField("four"), mapper.longField("four"), mapper.longField("four8"),
                mapper.shortField("two"), mapper.intField("two"), mapper.byteField("one"),
                mapper.longField("one"), mapper.intField("bits"), mapper.longField("bits"), mapper.intField("three"));
        try (RecordList<Unsigneds> list = RecordList.owning(Arena::ofConfined, mapper)) {
            int[] numbers = {-1, 7, Integer.MIN_VALUE, 0x80, 0x7F, -5, 0, 0xFFFF, 0x8000, 0x7FFF, 0xFFFFFF};
            for (int number : numbers) {
                list.add(new Unsigneds(number, Integer.toUnsignedLong(number), (short) number, (byte) number, number,
                        number & 0xFFFFFF));
            }
            for (Field field : fields) {
                list.sort(field);
                long largest = (1L << (8 * field.type().byteSize())) - 1;
                long previous = -1;
                for (int i = 0; i < numbers.length; i++) {
                    long value = value(field, list.segment(), i * mapper.byteSize()) & largest;
                    assertThat(value).as("%s", field).isGreaterThanOrEqualTo(previous);
                    assertThat(list.binarySearch(field, value)).as("%s", field).isBetween(0L, (long) i);
                    previous = value;
                }
                assertThat(list.binarySearch(field, largest + 1)).as("%s", field).isEqualTo(-numbers.length - 1);
                assertThat(list.binarySearch(field, -1L << 40)).as("%s", field).isEqualTo(-1);
            }
            list.sort(mapper.intField("four"));
            assertThat(list.binarySearch(mapper.intField("four"), -5)).isEqualTo(numbers.length - 2);
            assertThat(list.binarySearch(mapper.longField("four"), -5)).isEqualTo(-1);
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
        list.add(new Position(1, 2, 3));
        list.add(new Position(1, 2, 9));
        assertThat(list.binarySearch(PRICE, 9)).isEqualTo(1);
        assertThat(list.binarySearch(PRICE, 8)).isEqualTo(-2);
    }

    @Test
    void sort_fieldOfAnotherStructOrWithoutOrder_isRefused() {
        assertThatThrownBy(() -> list.sort(ROWS.longField("id"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> list.binarySearch(QUANTITY, 1.5)).isInstanceOf(IllegalArgumentException.class);
        // The operations check the field even without structs.
        assertRefused(() -> list.sort(POSITIONS.field("price")), "Field has no order: ");
        assertThatIllegalArgumentException().isThrownBy(() -> list.binarySearch(POSITIONS.field("quantity"), 1));
    }

    @Test
    void view_ofAnArrayThatHasGrown_throws() {
        list.add(new Position(1, 2, 3));
        PositionView view = list.view(VIEWS, 0);
        list.addZeroed(1_000);
        assertThatThrownBy(view::price).isInstanceOf(IllegalStateException.class);
        assertThat(list.get(0)).isEqualTo(new Position(1, 2, 3));
    }

    @Test
    void get_outsideOfTheStructs_throws() {
        try (RecordList<Position> list = RecordList.owning(Arena::ofConfined, POSITIONS, 100)) {
            list.add(new Position(1, 2, 3));
            assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("No such element: index=1, size=1");
            assertThatThrownBy(() -> list.getLong(QUANTITY, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }
}
