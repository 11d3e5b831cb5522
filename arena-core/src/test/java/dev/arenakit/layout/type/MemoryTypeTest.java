package dev.arenakit.layout.type;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// The arguments that types reject, and the layouts that they return.
class MemoryTypeTest {
    private static final ValueType INT = ValueType.of(int.class);
    private static final ValueType BYTE = ValueType.of(byte.class);

    @Test
    void layout_ofAnyType_hasItsSizeAndAlignment() {
        for (int seed = 0; seed < 150; seed++) {
            StructType struct = RandomTypes.any(new Random(seed), "S");
            assertThat(struct.layout().byteSize()).isEqualTo(struct.byteSize());
            assertThat(struct.layout().byteAlignment()).isEqualTo(struct.byteAlignment());
            for (Member member : struct.members()) {
                if (member.type() instanceof BitFieldType) {
                    continue; // padding in the layout
                }
                assertThat(struct.layout()
                        .byteOffset(PathElement.groupElement(member.name())))
                        .isEqualTo(member.byteOffset());
            }
        }
    }

    @Test
    void withByteAlignment_ofAnyType_keepsSizeAndOffsets() {
        for (int seed = 0; seed < 150; seed++) {
            StructType struct = RandomTypes.any(new Random(seed), "S");
            StructType packed = struct.withByteAlignment(1);
            assertThat(packed.byteSize()).isEqualTo(struct.byteSize());
            assertThat(packed.members()).extracting(Member::byteOffset)
                    .isEqualTo(struct.members().stream().map(Member::byteOffset).toList());
            assertThat(packed.members()).allMatch(member -> member.type().byteAlignment() == 1);
            assertThat(struct.withByteAlignment(64).byteAlignment()).isEqualTo(64);
            assertThat(struct.withByteAlignment(struct.byteAlignment())).isEqualTo(struct);
        }
    }

    @Test
    void naturalAlignment_ofAPackedCopy_isTheDeclaredOne() {
        StructType pair = StructType.builder("Pair").add("a", BYTE).add("b", INT).build();
        StructType packed = pair.withByteAlignment(1);
        assertThat(packed.naturalAlignment()).isEqualTo(4);
        assertThat(ArrayType.of(packed, 2).naturalAlignment()).isEqualTo(4);
        assertThat(INT.withByteAlignment(16).naturalAlignment()).isEqualTo(4);
        assertThat(new BitFieldType(INT.withByteAlignment(1), 0, 3).naturalAlignment()).isEqualTo(4);
        assertThat(UnsignedType.of(3).naturalAlignment()).isEqualTo(1);
        assertThat(StringType.of(3, StandardCharsets.UTF_16LE).naturalAlignment()).isEqualTo(2);
        for (int seed = 0; seed < 150; seed++) {
            StructType struct = RandomTypes.any(new Random(seed), "S");
            assertThat(struct.withByteAlignment(1).members()).extracting(member -> member.type().naturalAlignment())
                    .isEqualTo(struct.members().stream().map(member -> member.type().naturalAlignment()).toList());
        }
    }

    @Test
    void valueType_ofOneByte_hasOneOrder() {
        assertThat(BYTE.withOrder(ByteOrder.BIG_ENDIAN)).isEqualTo(BYTE.withOrder(ByteOrder.LITTLE_ENDIAN));
        assertThat(INT.withOrder(ByteOrder.BIG_ENDIAN)).isNotEqualTo(INT.withOrder(ByteOrder.LITTLE_ENDIAN));
        assertRefused(() -> ValueType.of(void.class), "void");
        assertRefused(() -> INT.withByteAlignment(3), "=3");
        assertRefused(() -> INT.withByteAlignment(0), "=0");
    }

    @Test
    void stringType_layout_isOfItsUnits() {
        assertThat(StringType.of(3, StandardCharsets.UTF_8).layout().elementLayout()).isEqualTo(JAVA_BYTE);
        assertThat(StringType.of(3, StandardCharsets.UTF_16BE).layout().elementLayout())
                .isEqualTo(JAVA_CHAR.withOrder(ByteOrder.BIG_ENDIAN));
        assertThat(StringType.of(3, StandardCharsets.UTF_16BE).byteSize()).isEqualTo(6);
        assertRefused(() -> StringType.of(0, StandardCharsets.UTF_8), "length=0");
        assertThatIllegalArgumentException().isThrownBy(() -> StringType.of(1L << 62, StandardCharsets.UTF_16LE));
        assertThatIllegalArgumentException().isThrownBy(() -> StringType.of(1, StandardCharsets.UTF_16))
                .withMessage("Charset is not supported: charset=UTF-16; use one of [UTF-8, US-ASCII, UTF-16BE, "
                        + "UTF-16LE, UTF-32BE, UTF-32LE, ISO-8859-1], another charset of one byte for each character, "
                        + "or an array of bytes, which new String(bytes, charset) decodes");
    }

    @Test
    void unsignedType_ofAnySize_hasItsLayout() {
        assertThat(UnsignedType.of(2, ByteOrder.BIG_ENDIAN).layout())
                .isEqualTo(JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN));
        assertThat(UnsignedType.of(3).layout()).isEqualTo(MemoryLayout.sequenceLayout(3, JAVA_BYTE));
        assertThat(UnsignedType.of(6).byteAlignment()).isEqualTo(1);
        assertThat(UnsignedType.of(6).withByteAlignment(2).layout().byteAlignment()).isEqualTo(2);
        assertThat(UnsignedType.of(7).cName()).isEqualTo("uint56_t");
        assertThat(UnsignedType.of(1, ByteOrder.BIG_ENDIAN)).isEqualTo(UnsignedType.of(1, ByteOrder.LITTLE_ENDIAN));
        for (long byteSize : new long[]{0, 9, -1}) {
            assertRefused(() -> UnsignedType.of(byteSize), "byteSize=" + byteSize);
        }
    }

    @Test
    void stringType_endOfTheText_isOfTheType() {
        StringType text = StringType.of(8, StandardCharsets.UTF_16LE);
        StringType prefixed = text.withPrefix(1, ByteOrder.BIG_ENDIAN);
        assertThat(prefixed.byteSize()).isEqualTo(17);
        assertThat(prefixed.byteAlignment()).isEqualTo(1);
        assertThat(prefixed).isEqualTo(text.withPrefix(1, ByteOrder.LITTLE_ENDIAN));
        assertThat(prefixed.layout()).isEqualTo(MemoryLayout.sequenceLayout(17, JAVA_BYTE));
        assertThat(text.withPadding(StringType.Padding.SPACE).layout()).isEqualTo(text.layout());
        assertRefused(() -> text.withPrefix(3, ByteOrder.BIG_ENDIAN), "prefixByteSize=3");
        assertRefused(() -> prefixed.withPadding(StringType.Padding.SPACE), "both a length and spaces");
    }

    @Test
    void enumType_ofUnsignedValues_hasTheirRange() {
        EnumType.Constant big = new EnumType.Constant("BIG", 255);
        EnumType unsigned = new EnumType("E", UnsignedType.of(1), List.of(big), Optional.of("OTHER"));
        assertThat(unsigned.carrier()).isEqualTo(byte.class);
        assertThat(unsigned.isUnsigned()).isTrue();
        assertRefused(() -> new EnumType("E", UnsignedType.of(1), List.of(new EnumType.Constant("M", -1))),
                "values are unsigned: the same bits are 255");
        assertThat(new EnumType("E", UnsignedType.of(8), List.of(new EnumType.Constant("M", -1))).byteSize())
                .isEqualTo(8);
        assertRefused(() -> new EnumType("E", UnsignedType.of(3), List.of(big)), "not that of an enum");
        assertRefused(() -> new EnumType("E", UnsignedType.of(1), List.of(big), Optional.of("BIG")), "constant=BIG");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EnumType("E", UnsignedType.of(1), List.of(big), Optional.of("a b")));
    }

    @Test
    void unionType_memberForOtherValues_isTheLast() {
        List<Member> members = List.of(new Member("a", 0, INT), new Member("b", 0, StructType.builder("B").build()));
        UnionType union = new UnionType("U", members, 4, 4,
                Optional.of(new UnionType.Discriminator("head.kind", List.of(List.of(1L)), Optional.of("b"))));
        StructType head = StructType.builder("Head").add("x", INT).add("kind", BYTE).build();
        StructType struct = StructType.builder("S").add("pad", INT).add("head", head).add("u", union).build();
        assertThat(struct.nested("head.kind").orElseThrow()).isEqualTo(new Member("kind", 8, BYTE));
        assertThat(struct.nested("head.other")).isEmpty();
        assertThat(struct.nested("pad.kind")).isEmpty();
        assertRefused(() -> StructType.builder("S").add("head", INT).add("u", union).build(),
                "discriminator=head.kind");
        assertRefused(() -> new UnionType("U", members, 4, 4,
                Optional.of(new UnionType.Discriminator("kind", List.of(List.of(1L)), Optional.of("a")))),
                "not the last member of the union: union=U, otherwise=a");
        assertRefused(() -> new UnionType("U", members, 4, 4,
                Optional.of(new UnionType.Discriminator("kind", List.of(List.of(1L), List.of(2L)),
                        Optional.of("b")))),
                "members=1, values=2");
        assertRefused(() -> new UnionType.Discriminator("head.", List.of()), "not a C identifier");
    }

    @Test
    void arrayType_countThatIsNoInteger_isRefused() {
        ArrayType array = ArrayType.of(INT, 4).withCount("n");
        for (MemoryType count : List.of(INT, UnsignedType.of(3), new BitFieldType(UnsignedType.of(1), 2, 3))) {
            assertThat(StructType.builder("S").add("n", count).add("a", array).build().byteSize()).isPositive();
        }
        for (MemoryType count : List.of(ValueType.of(float.class), new EnumType("E", BYTE, List.of()))) {
            assertRefused(() -> StructType.builder("S").add("n", count).add("a", array).build(),
                    "Count of an array is no integer of the struct: struct=S, member=a, count=n");
        }
        assertRefused(() -> StructType.builder("S").add("a", array).build(), "count=n");
    }

    @Test
    void enumType_whatNoIntegerHolds_isRefused() {
        EnumType.Constant one = new EnumType.Constant("ONE", 1);
        assertRefused(() -> new EnumType("E", BYTE, List.of(one, one)), "same name or value");
        assertRefused(() -> new EnumType("E", BYTE, List.of(new EnumType.Constant("BIG", 128))), "value=128");
        assertThat(new EnumType("E", BYTE, List.of(new EnumType.Constant("LEAST", -128))).byteSize()).isEqualTo(1);
        assertRefused(() -> new EnumType("E", ValueType.of(float.class), List.of(one)), "float");
    }

    @Test
    void arrayType_misalignedElements_areRefused() {
        StructType five = new StructType("", List.of(new Member("a", 0, INT)), 5, 4);
        assertRefused(() -> ArrayType.of(five, 2), "misaligned");
        assertThat(ArrayType.of(five.withByteAlignment(1), 2).byteSize()).isEqualTo(10);
        assertThatIllegalArgumentException().isThrownBy(() -> ArrayType.of(INT, Long.MAX_VALUE / 2));
        assertThat(ArrayType.of(INT, 0).layout().elementLayout()).isEqualTo(JAVA_INT);
    }

    @Test
    void structType_impossibleMembers_areRefused() {
        Member first = new Member("a", 0, INT);
        assertRefused(() -> new StructType("S", List.of(first, new Member("b", 2, BYTE)), 8, 4), "overlap");
        assertRefused(() -> new StructType("S", List.of(first), 3, 4), "beyond");
        assertRefused(() -> new StructType("S", List.of(first), 4, 2), "less than that of a member");
        assertRefused(() -> new StructType("S", List.of(new Member("a", Long.MAX_VALUE - 3, INT)), 4, 4), "beyond");
        assertRefused(() -> new Member("a-b", 0, INT), "a-b");
        assertRefused(() -> new Member("a", 2, INT), "=2");
    }

    @Test
    void structAndUnion_negativeSize_isRefused() {
        assertRefused(() -> new StructType("S", List.of(), -5, 1), "byteSize=-5");
        assertRefused(() -> new UnionType("U", List.of(), -8, 8, Optional.empty()), "byteSize=-8");
    }

    @Test
    void structType_unionWhoseDiscriminatorIsNoInteger_isRefused() {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("a", INT);
        UnionType union = UnionType.of("U", members,
                Optional.of(new UnionType.Discriminator("kind", List.of(1L))));
        EnumType kind = new EnumType("Kind", BYTE, List.of());
        for (MemoryType tells : List.of(INT, BYTE, ValueType.of(char.class), kind)) {
            assertThat(discriminated(union, "kind", tells).byteSize()).isPositive();
        }
        for (MemoryType tells : List.of(ValueType.of(float.class), ValueType.of(boolean.class), ArrayType.of(INT, 1))) {
            assertRefused(() -> discriminated(union, "kind", tells), "struct=S, member=u, discriminator=kind");
        }
        for (MemoryType around : List.of(union, ArrayType.of(ArrayType.of(union, 2), 2))) {
            assertThat(discriminated(around, "kind", INT).byteSize()).isPositive();
            assertRefused(() -> discriminated(around, "other", INT), "discriminator=kind");
        }
    }

    private static StructType discriminated(MemoryType union, String name, MemoryType tells) {
        return StructType.builder("S").add("u", union).add(name, tells).build();
    }

    @Test
    void builder_wrongAlignment_isRefusedAtOnce() {
        StructType.Builder builder = StructType.builder("S");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.byteAlignment(0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.byteAlignment(-8));
    }

    @Test
    void unionType_ofNothing_hasALayout() {
        SequencedMap<String, MemoryType> none = new LinkedHashMap<>();
        assertThat(UnionType.of("U", none, Optional.empty()).layout().byteSize()).isZero();
        assertThat(new UnionType("U", List.of(), 8, 4, Optional.empty()).layout().byteSize()).isEqualTo(8);
        none.put("a", INT);
        none.put("b", BYTE);
        UnionType union = UnionType.of("U", none, Optional.empty());
        assertThat(union.byteSize()).isEqualTo(4);
        assertRefused(() -> UnionType.of("U", none, Optional.of(new UnionType.Discriminator("k", List.of(1L)))),
                "values=1");
        assertRefused(() -> new UnionType.Discriminator("k", List.of(1L, 1L)), "are the same");
        List<List<Long>> twice = List.of(List.of(1L, 2L), List.of(2L));
        assertRefused(() -> new UnionType.Discriminator("k", twice, Optional.empty()), "are the same");
        assertRefused(() -> new UnionType.Discriminator("k", List.of(List.of(1L), List.of()), Optional.empty()),
                "has no value of the discriminator: discriminator=k, values=[[1], []]");
    }

    @Test
    void validMember_ofAValue_isTheMemberWithIt() {
        List<List<Long>> values = List.of(List.of(9L, -2L), List.of(4L));
        UnionType.Discriminator strict = new UnionType.Discriminator("k", values, Optional.empty());
        assertThat(strict.values()).containsExactly(List.of(-2L, 9L), List.of(4L));
        assertThat(LongStream.of(9, -2, 4, 5).mapToInt(strict::validMember)).containsExactly(0, 0, 1, -1);
        UnionType.Discriminator open = new UnionType.Discriminator("k", values, Optional.of("other"));
        assertThat(LongStream.of(9, -2, 4, 5).mapToInt(open::validMember)).containsExactly(0, 0, 1, 2);
    }

    @Test
    void wrappedValue_wrapperOfAPrimitiveValue_isThatValue() {
        ValueType price = ValueType.of(double.class, ByteOrder.BIG_ENDIAN);
        StructType wrapper = StructType.wrapperOf(price);
        assertThat(wrapper).isEqualTo(new StructType("", List.of(new Member("value", 0, price)), 8, 8));
        assertThat(wrapper.wrappedValue()).contains(price);
    }

    @Test
    void wrapped_wrapperOfAnyType_isThatType() {
        ArrayType pair = ArrayType.of(ValueType.of(int.class), 2);
        assertThat(StructType.wrapperOf(pair).wrapped()).contains(pair);
        assertThat(new StructType("Named", List.of(new Member("value", 0, pair)), 8, 4).wrapped()).isEmpty();
    }

    @Test
    void wrappedValue_anyOtherStruct_isEmpty() {
        Member value = new Member("value", 0, ValueType.of(int.class));
        assertThat(new StructType("Named", List.of(value), 4, 4).wrappedValue()).isEmpty();
        assertThat(new StructType("", List.of(value), 8, 4).wrappedValue()).isEmpty();
        assertThat(new StructType("", List.of(value, new Member("b", 4, value.type())), 8, 4).wrappedValue()).isEmpty();
        assertThat(StructType.builder("").add("other", value.type()).build().wrappedValue()).isEmpty();
        assertThat(StructType.wrapperOf(ArrayType.of(value.type(), 2)).wrappedValue()).isEmpty();
    }

    @Test
    void cName_isTheNameOfStdint() {
        assertThat(Stream.of(boolean.class, byte.class, short.class, char.class, int.class, long.class, float.class,
                double.class).map(carrier -> ValueType.of(carrier).cName()))
                .containsExactly("bool", "int8_t", "int16_t", "uint16_t", "int32_t", "int64_t", "float", "double");
    }
}
