package dev.arenakit.collection;

import dev.arenakit.collection.StructModelRecords.OrderKey;
import dev.arenakit.collection.StructModelRecords.Position;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static dev.arenakit.collection.StructModelRecords.KEYS;
import static dev.arenakit.collection.StructModelRecords.POSITIONS;
import static dev.arenakit.collection.StructModelRecords.VIEWS;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/// Misuse of structures of bytes and structs: a cursor after the lifetime of its memory, and objects of another
/// structure.
class ByteStructureMisuseTest {
    private static final DoubleField PRICE = POSITIONS.doubleField("price");
    private static final OrderKey KEY = new OrderKey((byte) 1, 2, "V");
    private static final Position POSITION = new Position(1, 2, 3);

    /// A record with the size of a [Position] and different fields.
    record Other(long first, long quantity, long last) {}

    @Test
    void moveNext_ofACursorAtTheEndAfterTheLifetimeOfTheArena_throws() {
        Arena arena = Arena.ofConfined();
        BytesLongMap map = BytesLongMap.create(arena);
        BytesLongMap.Cursor atEnd = map.cursor();
        assertThat(atEnd.moveNext()).isFalse();
        arena.close();
        assertThatIllegalStateException().isThrownBy(atEnd::moveNext);
    }

    @Test
    void find_valueOfAnotherMap_isRefused() {
        try (BytesMap map = BytesMap.owning(Arena::ofConfined); BytesMap other = BytesMap.owning(Arena::ofConfined)) {
            map.put("key", "of this map");
            other.put("key", "of another map");
            BytesMap.Value value = other.newValue();
            byte[] key = {'k', 'e', 'y'};
            assertRefused(() -> map.find("key", value), "Value is one of another map");
            assertThatIllegalArgumentException().isThrownBy(() -> map.find(key, 0, 3, value));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> map.find(java.lang.foreign.MemorySegment.ofArray(key), 0, 3, value));
            assertThat(other.find("key", value)).isTrue();
            assertThat(value.text()).isEqualTo("of another map");
        }
    }

    @Test
    void access_fieldOfAnotherStruct_isRefusedAndChangesNothing() {
        RecordMapper<Other> others = RecordMapper.of(MethodHandles.lookup(), Other.class);
        try (RecordMap<OrderKey, Position> map = RecordMap.owning(Arena::ofConfined, KEYS, POSITIONS);
                RecordList<Position> list = RecordList.owning(Arena::ofConfined, POSITIONS)) {
            map.put(KEY, POSITION);
            list.add(POSITION);
            list.add(POSITION);
            for (LongField field : List.of(others.longField("last"), others.longField("quantity"),
                    KEYS.longField("account"))) {
                List<ThrowingCallable> operations = List.of(() -> map.addTo(field, KEY, 1),
                        () -> map.setLong(field, KEY, 1),
                        () -> map.getLong(field, KEY, 1), () -> list.getLong(field, 0),
                        () -> list.setLong(field, 0, 1), () -> list.sort(field), () -> list.binarySearch(field, 1));
                assertThat(operations)
                        .allSatisfy(operation -> assertRefused(operation, "Not a field of the structs: "));
            }
            assertThat(map.get(KEY, new Position(0, 0, 0))).isEqualTo(POSITION);
            assertThat(map.size()).isEqualTo(1);
            assertThat(list.get(0)).isEqualTo(POSITION);
        }
    }

    @Test
    void access_fieldOfAViewOfTheStruct_isAccepted() {
        ViewMapper<StructModelRecords.PositionView> views = ViewMapper.of(MethodHandles.lookup(),
                StructModelRecords.PositionView.class, POSITIONS.type());
        try (RecordList<Position> list = RecordList.owning(Arena::ofConfined, POSITIONS)) {
            list.add(POSITION);
            assertThat(list.getLong(views.longField("quantity"), 0)).isEqualTo(2);
            assertThat(list.getLong(VIEWS.longField("quantity"), 0)).isEqualTo(2);
            assertThat(list.getDouble(VIEWS.doubleField("price"), 0)).isEqualTo(3);
            assertThat(list.getDouble(PRICE, 0)).isEqualTo(3);
        }
    }
}
