package dev.arenakit.layout;

import dev.arenakit.layout.annotation.Bits;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Members;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ViewMapperTest {
    @AutoClose
    private final Arena arena = Arena.ofConfined();

    record Point(int x, int y) {}

    @Name("Point")
    @Members({"x", "y"})
    interface PointView extends View {
        int x();

        PointView x(int x);

        int y();

        void y(int y);

        default int sum() {
            return x() + y();
        }

        static int twice(int value) {
            return 2 * value;
        }
    }

    private static final ViewMapper<PointView> POINTS = ViewMapper.of(PointView.class);
    private static final RecordMapper<Point> RECORDS = RecordMapper.of(Point.class);

    @Test
    void type_isThatOfTheRecord() {
        assertThat(POINTS.type()).isEqualTo(RECORDS.type());
        assertThat(POINTS.layout()).isEqualTo(RECORDS.layout());
        assertThat(POINTS.byteSize()).isEqualTo(8);
        assertThat(POINTS).hasToString("ViewMapper of Point (8 bytes)");
    }

    @Test
    void of_givesTheSameMapperAgain() {
        assertThat(ViewMapper.of(PointView.class)).isSameAs(POINTS);
        assertThat(ViewMapper.of(PointView.class, RECORDS.type())).isSameAs(ViewMapper.of(PointView.class,
                RECORDS.type()));
    }

    @Test
    void segment_ofAView_isItsStructAlone() {
        MemorySegment segment = POINTS.allocate(arena, 3);
        MemorySegment own = POINTS.viewAtIndex(segment, 1).segment();

        assertThat(own.address()).isEqualTo(segment.address() + 8);
        assertThat(own.byteSize()).isEqualTo(8);
        assertThat(POINTS.viewAtIndex(own, 0)).isEqualTo(POINTS.viewAtIndex(segment, 1));
    }

    @Test
    void views_areEqual_whereTheyStandAtTheSamePlace() {
        MemorySegment segment = POINTS.allocate(arena, 3);
        PointView point = POINTS.viewAtIndex(segment, 1);

        assertThat(point).isEqualTo(POINTS.view(segment.asSlice(8), 0))
                .hasSameHashCodeAs(POINTS.view(segment.asSlice(8), 0))
                .isEqualTo(POINTS.viewAtIndex(segment, 1))
                .isNotEqualTo(POINTS.viewAtIndex(segment, 2))
                .isNotEqualTo(POINTS.viewAtIndex(POINTS.allocate(arena, 3), 1))
                .isNotEqualTo("Point");
    }

    @Test
    void view_withoutAnOffset_isOfTheStructAtTheBeginning() {
        MemorySegment one = POINTS.allocate(arena);
        assertThat(one.byteSize()).isEqualTo(POINTS.byteSize());
        assertThat(POINTS.view(one)).isEqualTo(POINTS.view(one, 0));
        assertThat(POINTS.view(POINTS.allocate(arena, 2)).x(5)).hasToString("PointView { x = 5, y = 0 }");
    }

    @Members({"count", "values"})
    interface CountedView {
        byte count();

        void count(byte count);

        @Length(value = 4, counted = "count")
        int values(long index);

        void values(long index, int value);
    }

    @Members({"version", "length", "end", "any"})
    interface Header {
        @Bits(4)
        int version();

        @Bits(3)
        int length();

        @Bits(1)
        boolean end();

        Any any();
    }

    interface Any {
        int whole();

        byte first();
    }

    @Test
    void toString_bitFieldsAndMembersOfAUnion_areInTheirOrder() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct Header {
                    int32_t version : 4; int32_t length : 3; bool end : 1;
                    union { int32_t whole; int8_t first; } any;
                };
                """);
        Header view = ViewMapper.of(Header.class, struct).viewAtIndex(MemorySegment.ofArray(new int[]{0xA5, 7}), 0);
        assertThat(view).hasToString(
                "Header { version = 5, length = 2, end = true, any = Any { whole = 7, first = 7 } }");
    }

    @Test
    void toString_ofACountedArray_tellsTheElementsThatCount() {
        ViewMapper<CountedView> mapper = ViewMapper.of(CountedView.class);
        CountedView view = mapper.view(MemorySegment.ofArray(new int[5]), 0);
        view.values(0, 7);
        view.values(1, 8);
        view.values(2, 9);
        view.count((byte) 2);
        assertThat(view).hasToString("CountedView { count = 2, values = [7, 8] }");
        view.count((byte) 0);
        assertThat(view).hasToString("CountedView { count = 0, values = [] }");
        view.count((byte) 5);
        assertThat(view).hasToString("CountedView { count = 5, values = [7, 8, 9, 0] }");
        view.count((byte) -1);
        assertThat(view).hasToString("CountedView { count = -1, values = [7, 8, 9, 0] }");
        CountedView closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = mapper.view(mapper.allocate(arena, 1), 0);
        }
        assertThat(closed.toString()).startsWith("CountedView { count = <IllegalStateException>, values = [<Illegal");
    }

    @Test
    void view_afterARace_hasItsFinalState() {
        assertThat(POINTS.viewAtIndex(POINTS.allocate(arena, 1), 0).getClass().getDeclaredFields())
                .filteredOn(field -> !Modifier.isStatic(field.getModifiers()))
                .hasSize(2)
                .allMatch(field -> Modifier.isFinal(field.getModifiers()));
    }

    @Packed
    @Members({"tag", "point", "values"})
    interface Tight {
        byte tag();

        void tag(byte tag);

        PointView point();

        @Length(2)
        long values(long index);

        void values(long index, long value);
    }

    @Test
    void view_ofAPackedStruct_standsAnywhere() {
        ViewMapper<Tight> tights = ViewMapper.of(Tight.class);
        assertThat(tights.byteSize()).isEqualTo(25);
        MemorySegment bytes = MemorySegment.ofArray(new byte[52]);
        Tight tight = tights.view(bytes, 27);
        tight.tag((byte) 1);
        tight.point().x(2).y(3);
        tight.values(1, 4);
        assertThat(tight).hasToString("Tight { tag = 1, point = PointView { x = 2, y = 3 }, values = [0, 4] }");
        assertThat(bytes.get(ValueLayout.JAVA_BYTE, 27)).isEqualTo((byte) 1);
    }

    interface HasId {
        long id();

        HasId id(long id);
    }

    @Members({"id", "next"})
    interface Row extends HasId {
        @Override
        Row id(long id);

        int next();

        Row next(int next);

        @Override
        String toString();
    }

    @Test
    void view_inheritsAccessors() {
        ViewMapper<Row> rows = ViewMapper.of(Row.class);
        Row row = rows.viewAtIndex(rows.allocate(arena, 1), 0).id(7).next(8);
        HasId asParent = row;
        assertThat(asParent.id(9)).isSameAs(row);
        assertThat(row).hasToString("Row { id = 9, next = 8 }");
    }

    @Test
    void of_recordThatHasAMapper_isRefused() {
        record Mapped(int x) {}
        assertThat(RecordMapper.of(Mapped.class)).isSameAs(RecordMapper.of(Mapped.class));
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> ViewMapper.of(Mapped.class))
                .withMessage(
                        "Not an interface: class=" + Mapped.class.getName() + "; a record is mapped by RecordMapper");
    }
}
