package dev.arenakit.layout;

import dev.arenakit.internal.layout.declaration.StructTypeReader;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class FieldTest {
    record Point(int x, long y) {}

    record Line(byte tag, @Length(3) Point[] points, @Order(BIG_ENDIAN) long big, @Order(BIG_ENDIAN) int small,
            @Length(4) String text, int kind, @Union("kind") Shape shape) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(@Length(2) short[] sides) implements Shape {}

    @Packed
    record Tight(byte a, long b, int c) {}

    private static final RecordMapper<Line> LINES = RecordMapper.of(Line.class);

    @ParameterizedTest
    @CsvSource({"tag,0", "points,8", "points[2],40", "points[1].y,32", "big,56", "shape,80", "shape.square.sides[1],82",
            "shape.circle.radius,80"})
    void field_ofAPath_hasItsOffset(String path, long byteOffset) {
        assertThat(LINES.field(path).byteOffset()).isEqualTo(byteOffset);
        assertThat(LINES.field(path).path()).isEqualTo(path);
        assertThat(LINES.field(path)).hasToString("Field " + path + " of Line at " + byteOffset);
    }

    @Test
    void field_ofAPath_hasTypeAndLayout() {
        Field field = LINES.field("points[1].y");

        assertThat(field.type()).isEqualTo(ValueType.of(long.class));
        assertThat(field.layout()).isEqualTo(ValueLayout.JAVA_LONG);
        assertThat(LINES.field("points[1]").type()).isEqualTo(StructTypeReader.ofRecord(Point.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "points[3]", "points[-1]", "points.x", "points[1].z", "tag[0]", "tag.x", ".tag",
            "tag.", "points[1]y", "points[99999999999999999999]", "[0]", "points[]", "tag "})
    void field_noSuchPlace_isRefused(String path) {
        assertRefused(() -> LINES.field(path), "No such field: layout=Line, path=" + path + "; ");
    }

    @Test
    void varHandle_ofAField_takesSegmentAndOffset() {
        MemorySegment segment = MemorySegment.ofArray(new long[33]);
        LINES.field("points[1].y").varHandle().set(segment, 2 * LINES.byteSize(), 77L);

        assertThat(segment.get(ValueLayout.JAVA_LONG, 2 * LINES.byteSize() + 32)).isEqualTo(77);
        assertThat((long) LINES.field("points[1].y").varHandle().get(segment, 2 * LINES.byteSize())).isEqualTo(77);
        assertRefused(() -> LINES.field("text").varHandle(), "not one value", "path=text");
    }

    @Test
    void varHandleAtIndex_ofAField_takesSegmentAndIndex() {
        MemorySegment segment = MemorySegment.ofArray(new long[33]);
        LINES.field("points[1].y").varHandleAtIndex().set(segment, 2L, 77L);
        LINES.field("small").varHandleAtIndex().set(segment, 1L, 0x01020304);

        assertThat(segment.get(ValueLayout.JAVA_LONG, 2 * LINES.byteSize() + 32)).isEqualTo(77);
        assertThat(segment.get(ValueLayout.JAVA_BYTE, LINES.byteSize() + 64)).isEqualTo((byte) 1);
        assertThat((long) LINES.field("points[1].y").varHandleAtIndex().get(segment, 2L)).isEqualTo(77);
        assertRefused(() -> LINES.field("text").varHandleAtIndex(), "not one value", "path=text");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            tag                 | byte       | use byteField
            small               | int        | use intField
            text                | StringType | take one of its parts, or read it with a record or a view
            points              | ArrayType  | take one of its parts, or read it with a record or a view
            shape.circle.radius | double     | use doubleField
            """)
    void longField_ofAnotherType_namesTypeAndRemedy(String path, String type, String remedy) {
        assertThatIllegalArgumentException().isThrownBy(() -> LINES.longField(path))
                .withMessage("Field is of another type: expected=long, layout=Line, path=" + path + ", type=" + type
                        + "; " + remedy);
    }

    @Test
    void longElements_ofOneValue_namesTypeAndRemedy() {
        assertThatIllegalArgumentException().isThrownBy(() -> LINES.longElements("big"))
                .withMessage("Field is of another type: expected=long[], layout=Line, path=big, type=long; "
                        + "use longField");
    }

    @Test
    void field_ofAPath_isTheSameAgain() {
        assertThat(LINES.longField("big")).isSameAs(LINES.longField("big"))
                .hasToString("Field big of Line at 56");
        assertThat(LINES.longField("big").byteOffset()).isEqualTo(56);
    }

    @Test
    void longField_inAPackedStruct_hasPlainAccessOnly() {
        RecordMapper<Tight> tight = RecordMapper.of(Tight.class);
        MemorySegment segment = MemorySegment.ofArray(new byte[26]);

        tight.longField("b").setAtIndex(segment, 1, 7);
        tight.intField("c").setAtIndex(segment, 1, 8);
        assertThat(tight.getAtIndex(segment, 1)).isEqualTo(new Tight((byte) 0, 7, 8));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> tight.longField("b").getAndAddAtIndex(segment, 1, 7))
                .withMessage("Field does not support the operation: operation=getAndAddAtIndex, layout=Tight, path=b; "
                        + "it requires a field that is aligned to its size, and the atomic operations one of 4 or 8 "
                        + "bytes");
    }

    @Test
    void varHandleAtIndex_outsideOfTheSegment_throwsAsDocumented() {
        VarHandle handle = LINES.field("big").varHandleAtIndex();
        MemorySegment segment = MemorySegment.ofArray(new long[11]);
        assertThatIllegalArgumentException().isThrownBy(() -> handle.set(segment, -1L, 1L));
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> handle.set(segment, Long.MAX_VALUE, 1L));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> handle.set(segment, 1L, 1L));
    }

    @Name("named")
    record Named(@Name("n_first") int first, @Name("inner_one") Inner inner, @Name("all") @Length(2) Inner[] several,
            @Name("swap_a") int b, @Name("b") int swapped) {}

    record Inner(@Name("v") long value) {}

    @ParameterizedTest
    @CsvSource({"n_first,first,0", "inner_one.v,inner.value,8", "inner_one.value,inner.v,8",
            "all[1].v,several[1].value,24", "swap_a,swap_a,32", "b,swapped,36"})
    void field_ofANamedComponent_hasBothNames(String one, String other, long byteOffset) {
        RecordMapper<Named> mapper = RecordMapper.of(Named.class);
        assertThat(mapper.field(one).byteOffset()).isEqualTo(byteOffset);
        assertThat(mapper.field(other).byteOffset()).isEqualTo(byteOffset);
    }
}
