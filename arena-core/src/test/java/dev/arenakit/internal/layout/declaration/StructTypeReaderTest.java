package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Align;
import dev.arenakit.layout.annotation.ByteSize;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.annotation.Name;
import dev.arenakit.layout.annotation.Order;
import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Packed;
import dev.arenakit.layout.annotation.TargetByteSize;
import dev.arenakit.layout.annotation.Union;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.arenakit.layout.annotation.Order.Endian.BIG_ENDIAN;
import static dev.arenakit.layout.annotation.Order.Endian.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@SuppressWarnings("ArrayRecordComponent") // Mapped records may contain arrays.
class StructTypeReaderTest {
    record Point(int x, int y) {}

    record Mixed(byte a, long b, boolean c, char d, @Length(3) short[] e, Point f, @Length(5) String g) {}

    @Test
    void ofRecord_componentsOfEveryKind_areMembersUnderTheRulesOfC() {
        StructType point = StructType.builder("Point")
                .add("x", ValueType.of(int.class))
                .add("y", ValueType.of(int.class))
                .build();
        StructType expected = StructType.builder("Mixed")
                .add("a", ValueType.of(byte.class))
                .add("b", ValueType.of(long.class))
                .add("c", ValueType.of(boolean.class))
                .add("d", ValueType.of(char.class))
                .add("e", ArrayType.of(ValueType.of(short.class), 3))
                .add("f", point)
                .add("g", StringType.of(5, StandardCharsets.UTF_8))
                .build();

        assertThat(StructTypeReader.ofRecord(Mixed.class)).isEqualTo(expected);
        assertThat(expected.byteSize()).isEqualTo(48);
    }

    @Packed
    @Order(BIG_ENDIAN)
    @Name("header")
    record Header(byte kind, @Order(LITTLE_ENDIAN) int size, Point at,
            @Length(2) @Encoding(Encoding.Kind.UTF_16) String name, @Name("class") long type) {}

    @Test
    void ofRecord_packedInBigEndian_hasNoHolesAndHandsTheOrderDown() {
        StructType header = StructTypeReader.ofRecord(Header.class);

        assertThat(header.name()).isEqualTo("header");
        assertThat(header.byteSize()).isEqualTo(1 + 4 + 8 + 4 + 8);
        assertThat(header.byteAlignment()).isEqualTo(1);
        assertThat(header.member("size").orElseThrow().type())
                .isEqualTo(new ValueType(int.class, ByteOrder.LITTLE_ENDIAN, 1));
        assertThat(header.member("at").orElseThrow().type()).isEqualTo(StructType.builder("Point")
                .packed()
                .add("x", ValueType.of(int.class, ByteOrder.BIG_ENDIAN))
                .add("y", ValueType.of(int.class, ByteOrder.BIG_ENDIAN))
                .build());
        assertThat(header.member("name").orElseThrow().type())
                .isEqualTo(new StringType(2, StandardCharsets.UTF_16BE, 1));
        assertThat(header.member("class")).isPresent();
    }

    @ByteSize(2)
    enum Side {
        BUY, @Value(-7)
        SELL, @Name("none_")
        NONE
    }

    @Align(32)
    record Enums(Side a, @ByteSize(1) Side b, @Length(2) Side[] c, @Align(16) int d, @Align(2) long e,
            @TargetByteSize(24) MemorySegment f, MemorySegment g) {}

    @Test
    void ofRecord_enumsAddressesAndAlignments_areAsAnnotated() {
        StructType enums = StructTypeReader.ofRecord(Enums.class);
        List<EnumType.Constant> constants = List.of(new EnumType.Constant("BUY", 0),
                new EnumType.Constant("SELL", -7), new EnumType.Constant("none_", -6));
        EnumType side = new EnumType("Side", ValueType.of(short.class), constants);

        assertThat(enums.members()).containsExactly(new Member("a", 0, side),
                new Member("b", 2, new EnumType("Side", ValueType.of(byte.class), constants)),
                new Member("c", 4, ArrayType.of(side, 2)),
                new Member("d", 16, ValueType.of(int.class).withByteAlignment(16)),
                new Member("e", 20, ValueType.of(long.class).withByteAlignment(2)),
                new Member("f", 32, AddressType.of(Optional.of(ArrayType.of(ValueType.of(byte.class), 24)))),
                new Member("g", 40, AddressType.of(Optional.empty())));
        assertThat(enums.byteSize()).isEqualTo(64);
        assertThat(enums.byteAlignment()).isEqualTo(32);
    }

    sealed interface Shape permits Circle, Square {}

    @Value(9)
    record Circle(double radius) implements Shape {}

    record Square(float side) implements Shape {}

    record ByNumber(@Name("kind_") short kind, @Union("kind") Shape shape) {}

    record ByEnum(@Union("kind") Second shape, Side kind) {}

    sealed interface Second permits Dot, Line {}

    record Dot(int x) implements Second {}

    record Line(int x, int length) implements Second {}

    @Test
    void ofRecord_unions_nameWhatTells() {
        SequencedMap<String, MemoryType> shapes = new LinkedHashMap<>();
        shapes.put("circle", StructType.builder("Circle").add("radius", ValueType.of(double.class)).build());
        shapes.put("square", StructType.builder("Square").add("side", ValueType.of(float.class)).build());

        assertThat(StructTypeReader.ofRecord(ByNumber.class).member("shape").orElseThrow().type()).isEqualTo(
                UnionType.of("Shape", shapes, Optional.of(new UnionType.Discriminator("kind_", List.of(9L, 1L)))));
        assertThat(StructTypeReader.ofRecord(ByEnum.class).member("shape").orElseThrow().type())
                .extracting(type -> ((UnionType) type).discriminator().orElseThrow())
                .isEqualTo(new UnionType.Discriminator("kind", List.of(0L, -7L)));
    }

    sealed interface Several permits Numbers, Last {}

    @Value({9, 4})
    record Numbers(int x) implements Several {}

    record Last() implements Several {}

    record Empty() {}

    record Node(int value, Link next) {}

    record Link(Node node) {}

    record Boxed(Integer value) {}

    record NoLength(String name) {}

    record NoLengthOfArray(int[] values) {}

    record LengthZero(@Length(0) int[] values) {}

    record Names(@Length(2) String[] values) {}

    record Grid(@Length(2) int[][] values) {}

    record LengthOfInt(@Length(2) int value) {}

    record EncodedInt(@Encoding(Encoding.Kind.UTF_8) int value) {}

    enum TwoValues {
        @Value({1, 2})
        A
    }

    record OfTwoValues(TwoValues value) {}

    enum NoValue {
        @Value({})
        A
    }

    record OfNoValue(NoValue value) {}

    sealed interface Overlap permits Low, High {}

    @Value({1, 2})
    record Low() implements Overlap {}

    @Value({2, 3})
    record High() implements Overlap {}

    record OfOverlap(int kind, @Union("kind") Overlap overlap) {}

    sealed interface Without permits Nothing {}

    @Value({})
    record Nothing() implements Without {}

    record OfWithout(int kind, @Union("kind") Without without) {}

    sealed interface TooWide permits Wide {}

    @Value({1, 200})
    record Wide() implements TooWide {}

    record OfTooWide(byte kind, @Union("kind") TooWide wide) {}

    record SizedInt(@ByteSize(2) int value) {}

    record ValueOfInt(@Value(2) int value) {}

    record OtherwiseOfInt(@Otherwise int value) {}

    record Size3(@ByteSize(3) Side value) {}

    record TargetOfInt(@TargetByteSize(2) int value) {}

    record TargetOf0(@TargetByteSize(0) MemorySegment value) {}

    @Packed
    record PackedAndAligned(@Align(2) int value) {}

    @Align(2)
    record TooLittle(int value) {}

    @Align(3)
    record NoPower(int value) {}

    record NoPowerOfComponent(@Align(3) int value) {}

    record Twice(@Name("y") int x, int y) {}

    record BadName(@Name("a b") int x) {}

    @Name("a b")
    record BadTypeName(int x) {}

    @Order(LITTLE_ENDIAN)
    record Little(int x) {}

    record Contradiction(@Order(BIG_ENDIAN) Little little) {}

    record NoUnion(int kind, Shape shape) {}

    record UnionOfInt(int kind, @Union("kind") int shape) {}

    record UnionOfNothing(int kind, @Union("type") Shape shape) {}

    record UnionByFloat(float kind, @Union("kind") Shape shape) {}

    @ByteSize(1)
    enum Large {
        @Value(256)
        A
    }

    record TooLarge(Large value) {}

    enum One {
        A
    }

    record TooFew(One kind, @Union("kind") Second shape) {}

    record Outer(int x, Empty empty) {}

    record Around(Outer outer) {}

    record UnionsInArray(int kind, @Length(2) @Union("kind") Shape[] shapes) {}

    record UnionsInArrayAlone(int kind, @Length(2) Shape[] shapes) {}

    @Packed
    sealed interface PackedShape permits Dash {}

    @Order(LITTLE_ENDIAN)
    record Dash(int x) implements PackedShape, PlainShape {}

    sealed interface PlainShape permits Dash {}

    record OfPackedShape(int kind, @Union("kind") PackedShape shape) {}

    record OfDash(int kind, @Order(BIG_ENDIAN) @Union("kind") PlainShape shape) {}

    record OnAccessor(@Name("v") int value) {
        @Override
        @Order(BIG_ENDIAN)
        public int value() {
            return value;
        }
    }

    @Value(3)
    record ValueOfNothing(int value) {}

    record TooLong(@Length(Long.MAX_VALUE) byte[] a, @Length(Long.MAX_VALUE) byte[] b) {}

    record TooAligned(@Align(1L << 31) int value) {}

    @Align(1L << 62)
    record TooAlignedType(int value) {}

    static Stream<Arguments> unmappable() {
        return Stream.of(Arguments.of(String.class, List.of("Not a record", "java.lang.String")),
                Arguments.of(Empty.class, List.of("no components", "Empty")),
                Arguments.of(Node.class, List.of("contains itself", "Node", "MemorySegment", "path=next.node")),
                Arguments.of(Boxed.class, List.of("Boxed", "component=value", "Integer", "use a primitive")),
                Arguments.of(NoLength.class, List.of("NoLength", "component=name", "add @Length")),
                Arguments.of(NoLengthOfArray.class, List.of("component=values", "add @Length")),
                Arguments.of(LengthZero.class,
                        List.of("component=values", "less than 1: class=", "says 0; a flexible array is the last")),
                Arguments.of(Outer.class, List.of("no components: class=", "Empty", "it is nested in", "path=empty")),
                Arguments.of(Around.class, List.of("it is nested in", "path=outer.empty")),
                Arguments.of(UnionsInArray.class, List.of("component=shapes", "array of unions", "into a record")),
                Arguments.of(UnionsInArrayAlone.class, List.of("component=shapes", "array of unions")),
                Arguments.of(OfPackedShape.class, List.of("@Packed does not apply", "PackedShape", "path=shape")),
                Arguments.of(OfDash.class, List.of("component=shape", "@Order contradicts", "Dash says LITTLE")),
                Arguments.of(OnAccessor.class, List.of("component=value", "@Order is on the accessor")),
                Arguments.of(ValueOfNothing.class, List.of("@Value does not apply", "sealed interface")),
                Arguments.of(TooLong.class, List.of("component=b", "Struct is too large")),
                Arguments.of(TooAligned.class, List.of("component=value", "maxByteAlignment=1073741824")),
                Arguments.of(TooAlignedType.class, List.of("maxByteAlignment=1073741824")),
                Arguments.of(Names.class, List.of("component=values", "takes 2")),
                Arguments.of(Grid.class, List.of("component=values", "@Length has 1 numbers; it takes 2")),
                Arguments.of(LengthOfInt.class, List.of("component=value", "@Length does not apply", "arrays")),
                Arguments.of(EncodedInt.class, List.of("component=value", "@Encoding does not apply", "text")),
                Arguments.of(SizedInt.class, List.of("component=value", "@ByteSize does not apply", "enums")),
                Arguments.of(OfTwoValues.class, List.of("not one number", "constant=A, values=[1, 2]")),
                Arguments.of(OfNoValue.class, List.of("not one number", "constant=A, values=[]")),
                Arguments.of(OfOverlap.class, List.of("component=overlap", "are the same", "[[1, 2], [2, 3]]")),
                Arguments.of(OfWithout.class, List.of("component=without", "has no value", "[[]]")),
                Arguments.of(OfTooWide.class, List.of("component=wide", "Wide, value=200")),
                Arguments.of(ValueOfInt.class,
                        List.of("component=value", "@Value does not apply", "constants of enums")),
                Arguments.of(OtherwiseOfInt.class, List.of("component=value", "@Otherwise does not apply")),
                Arguments.of(Size3.class, List.of("component=value", "use 1, 2, 4 or 8")),
                Arguments.of(TargetOfInt.class, List.of("component=value", "@TargetByteSize does not apply")),
                Arguments.of(TargetOf0.class, List.of("component=value", "less than 1")),
                Arguments.of(PackedAndAligned.class, List.of("component=value", "remove @Packed, or @Align")),
                Arguments.of(TooLittle.class, List.of("TooLittle", "@Align is less", "use @Packed")),
                Arguments.of(NoPower.class, List.of("NoPower", "power of two")),
                Arguments.of(NoPowerOfComponent.class, List.of("component=value", "power of two")),
                Arguments.of(Twice.class, List.of("Twice", "same name")),
                Arguments.of(BadName.class, List.of("component=x", "identifier", "@Name gives another")),
                Arguments.of(BadTypeName.class, List.of("BadTypeName", "identifier", "@Name gives another")),
                Arguments.of(Contradiction.class, List.of("component=little", "LITTLE_ENDIAN", "remove one")),
                Arguments.of(NoUnion.class, List.of("component=shape", "add @Union")),
                Arguments.of(UnionOfInt.class, List.of("component=shape", "@Union does not apply")),
                Arguments.of(UnionOfNothing.class, List.of("component=shape", "no \"type\"")),
                Arguments.of(UnionByFloat.class, List.of("component=shape", "cannot be a discriminator", "float")),
                Arguments.of(TooLarge.class, List.of("component=value", "out of range", "A", "bits are 0")),
                Arguments.of(TooFew.class, List.of("component=shape", "no constant", "Line")));
    }

    @ParameterizedTest
    @MethodSource("unmappable")
    void ofRecord_classThatHasNoForm_namesClassComponentAndRemedy(Class<?> type, List<String> said) {
        assertThatIllegalArgumentException().isThrownBy(() -> StructTypeReader.ofRecord(type))
                .satisfies(e -> assertThat(e.getMessage()).contains(said).contains("class=" + type.getName()));
    }
}
