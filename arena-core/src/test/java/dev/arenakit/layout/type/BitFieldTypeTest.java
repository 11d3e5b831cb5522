package dev.arenakit.layout.type;

import java.lang.foreign.PaddingLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Bit fields, their places in structs, and runs of them.
class BitFieldTypeTest {
    private static final UnsignedType WORD = UnsignedType.of(2, LITTLE_ENDIAN);
    private static final UnsignedType BIG_WORD = UnsignedType.of(2, BIG_ENDIAN);
    private static final UnsignedType BYTE = UnsignedType.of(1);

    @Test
    void constructor_whatNoFieldHas_isRefused() {
        assertRefused(() -> new BitFieldType(WORD, 8, 1), "bitOffset=8");
        assertRefused(() -> new BitFieldType(WORD, -1, 1), "bitOffset=-1");
        assertRefused(() -> new BitFieldType(WORD, 0, 17), "largest bitSize=16");
        assertRefused(() -> new BitFieldType(ValueType.of(boolean.class), 0, 2), "largest bitSize=1");
        assertRefused(() -> new BitFieldType(UnsignedType.of(8), 1, 64), "more than 8 bytes");
        for (MemoryType declared : List.of(ValueType.of(char.class), ValueType.of(double.class), UnsignedType.of(3),
                ArrayType.of(BYTE, 1), new BitFieldType(WORD, 0, 1))) {
            assertRefused(() -> new BitFieldType(declared, 0, 1), "Declared type is not that of a bit field");
        }
        EnumType signed = new EnumType("E", ValueType.of(byte.class), List.of(new EnumType.Constant("TWO", 2)));
        assertThat(new BitFieldType(signed, 0, 3).isSigned()).isTrue();
        assertRefused(() -> new BitFieldType(signed, 0, 2), "constant=TWO, value=2, bitSize=2");
        EnumType unsigned = new EnumType("E", BYTE, signed.constants());
        assertThat(new BitFieldType(unsigned, 0, 2).isSigned()).isFalse();
    }

    @Test
    void elementsAndTargets_areNoBitFields() {
        BitFieldType bits = new BitFieldType(WORD, 0, 3);
        assertRefused(() -> ArrayType.of(bits, 2), "bit fields");
        assertRefused(() -> AddressType.of(Optional.of(bits)), "bit field");
    }

    @Test
    void structType_bitFieldsThatShareBits_areRefused() {
        Member low = new Member("low", 0, new BitFieldType(WORD, 0, 6));
        Member high = new Member("high", 0, new BitFieldType(WORD, 6, 10));
        assertThat(new StructType("S", List.of(low, high), 2, 2).byteSize()).isEqualTo(2);
        assertRefused(() -> new StructType("S",
                List.of(low, high, new Member("more", 1, new BitFieldType(WORD, 7, 1))), 2, 2),
                "Members overlap: struct=S, member=high");
        // The same bits, from the other end.
        assertRefused(() -> new StructType("S",
                List.of(low, new Member("big", 0, new BitFieldType(BIG_WORD, 2, 1))), 2, 2), "Members overlap");
        assertRefused(() -> new StructType("S", List.of(low, high, new Member("b", 1, BYTE)), 2, 2),
                "Members overlap");
        assertRefused(() -> new StructType("S",
                List.of(new Member("b", 0, BYTE), new Member("low", 0, new BitFieldType(WORD, 3, 1))), 2, 2),
                "Members overlap");
    }

    @Test
    void addBits_oneByteAcrossABigEndianByte_isRefused() {
        StructType.Builder builder = StructType.builder("s").packed();
        ValueType declared = ValueType.of(byte.class, ByteOrder.BIG_ENDIAN);
        builder.addBits("a", declared, 5, ByteOrder.BIG_ENDIAN);
        assertThatThrownBy(() -> builder.addBits("b", declared, 5, ByteOrder.BIG_ENDIAN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Bit field of one byte crosses a byte in big-endian order: member=b, bitSize=5; declare it "
                        + "with a type of two bytes");
    }

    @Test
    void addBits_bytesInBigEndianOrder_beginAtTheMostSignificantBit() {
        StructType header = StructType.builder("H")
                .addBits("version", BYTE, 4, BIG_ENDIAN)
                .addBits("length", BYTE, 4, BIG_ENDIAN)
                .addBits("next", BYTE, 4)
                .build();
        assertThat(header.members()).extracting(Member::type)
                .containsExactly(new BitFieldType(BYTE, 4, 4), new BitFieldType(BYTE, 0, 4),
                        new BitFieldType(BYTE, 0, 4));
        assertThat(header.members()).extracting(Member::byteOffset).containsExactly(0L, 0L, 1L);
        assertRefused(() -> StructType.builder("H").addBits("a", WORD, 4, BIG_ENDIAN),
                "Order of bits is not that of the declared type: member=a");
    }

    @Test
    void layout_ofAStructWithBitFields_hasPadding() {
        StructType struct = StructType.builder("S").addBits("a", WORD, 10).add("b", BYTE).build();
        assertThat(struct.layout().memberLayouts()).hasSize(3);
        assertThat(struct.layout().memberLayouts().getFirst()).isInstanceOf(PaddingLayout.class);
        assertThat(struct.layout().byteSize()).isEqualTo(4);
        assertThat(struct.layout().memberLayouts().get(1)).isEqualTo(ValueLayout.JAVA_BYTE.withName("b"));
        assertThat(new BitFieldType(WORD, 0, 10).layout().byteSize()).isEqualTo(2);
    }

    @Test
    void withByteAlignment_ofAStruct_packsItsBitFields() {
        StructType struct = StructType.builder("S").addBits("a", WORD, 10).build();
        StructType packed = StructType.builder("S").packed().addBits("a", WORD, 10).build();
        assertThat(struct.withByteAlignment(1)).isEqualTo(packed);
    }

    @Test
    void withOrder_ofAnyStruct_isThatOfTheBuilder() {
        for (ByteOrder order : List.of(LITTLE_ENDIAN, BIG_ENDIAN)) {
            assertThat(inOrder(LITTLE_ENDIAN).withOrder(order)).isEqualTo(inOrder(order));
            assertThat(inOrder(BIG_ENDIAN).withOrder(order)).isEqualTo(inOrder(order));
        }
    }

    @Test
    void withOrder_bytesBesideWiderBitFields_isThatOfTheBuilder() {
        for (ByteOrder order : List.of(LITTLE_ENDIAN, BIG_ENDIAN)) {
            assertThat(ofOneByteAndMore(LITTLE_ENDIAN).withOrder(order)).isEqualTo(ofOneByteAndMore(order));
            assertThat(ofOneByteAndMore(BIG_ENDIAN).withOrder(order)).isEqualTo(ofOneByteAndMore(order));
        }
    }

    private static StructType ofOneByteAndMore(ByteOrder order) {
        EnumType kind = new EnumType("Kind", BYTE, List.of(new EnumType.Constant("A", 1)));
        return StructType.builder("S")
                .addBits("flags", UnsignedType.of(4, order), 11)
                .addBits("set", ValueType.of(boolean.class), 1, order)
                .addBits("kind", kind, 3, order)
                .addBits("rest", UnsignedType.of(4, order), 17)
                .addBits("low", BYTE, 3, order)
                .addBits("wide", UnsignedType.of(2, order), 7)
                .build();
    }

    @Test
    void withOrder_byteAcrossBytes_isRefused() {
        StructType little = StructType.builder("S")
                .packed()
                .addBits("a", WORD, 5)
                .addBits("b", BYTE, 5)
                .build();
        assertThatIllegalArgumentException().isThrownBy(() -> little.withOrder(BIG_ENDIAN))
                .withMessage(
                        "Bit field of one byte crosses a byte in big-endian order: struct=S, member=b, bitOffset=5,"
                                + " bitSize=5; declare it with a type of two bytes");
        assertThat(little.withOrder(LITTLE_ENDIAN)).isEqualTo(little);
    }

    private static StructType inOrder(ByteOrder order) {
        StructType inner = StructType.builder("Inner").add("x", ValueType.of(int.class, order)).build();
        EnumType kind = new EnumType("Kind", UnsignedType.of(2, order), List.of(new EnumType.Constant("A", 1)),
                Optional.of("OTHER"));
        UnionType union = new UnionType("U", List.of(new Member("i", 0, UnsignedType.of(3, order)),
                new Member("d", 0, ValueType.of(double.class, order))), 8, 8,
                Optional.of(new UnionType.Discriminator("kind", List.of(List.of(1L)), Optional.of("d"))));
        return StructType.builder("S")
                .add("kind", kind)
                .add("inner", ArrayType.of(inner, 2).withCount("count"))
                .add("next", new AddressType(Optional.of(inner), order, 8))
                .add("union", union)
                .addBits("a", UnsignedType.of(4, order), 5)
                .addBits("b", ValueType.of(int.class, order), 20)
                .addBits("kindOfBits", kind, 3)
                .add("wide", StringType.of(3, order == BIG_ENDIAN
                        ? StandardCharsets.UTF_16BE
                        : StandardCharsets.UTF_16LE))
                .add("text", StringType.of(3, StandardCharsets.UTF_8).withPrefix(2, order))
                .add("count", UnsignedType.of(2, order))
                .build();
    }

    @Test
    void run_parts_areAllBits() {
        StructType struct = StructType.builder("S")
                .add("before", BYTE)
                .addBits("a", BIG_WORD, 3)
                .addBits("b", BIG_WORD, 5)
                .addBits("c", BIG_WORD, 12)
                .build();
        // a and b fill a byte, and c begins in the same unit.
        assertThat(BitFieldRun.of(struct.members(), 2).first()).isEqualTo(1);
        assertThat(BitFieldRun.of(struct.members(), 3).first()).isEqualTo(3);
        List<Member> members = List.of(new Member("a", 0, new BitFieldType(BIG_WORD, 3, 9)),
                new Member("b", 1, new BitFieldType(BYTE, 0, 2)), new Member("c", 2, new BitFieldType(WORD, 0, 4)));
        BitFieldRun run = BitFieldRun.of(members, 1);
        assertThat(run.first()).isZero();
        assertThat(run.end()).isEqualTo(2);
        assertThat(run.order()).contains(BIG_ENDIAN);
        assertThat(run.parts(BIG_ENDIAN)).containsExactly(new BitFieldRun.Part(-1, 3), new BitFieldRun.Part(0, 9),
                new BitFieldRun.Part(-1, 2), new BitFieldRun.Part(1, 2));
        assertThat(BitFieldRun.of(members, 2).order()).contains(LITTLE_ENDIAN);
        BitFieldRun both = new BitFieldRun(0, List.of(members.getFirst(),
                new Member("d", 1, new BitFieldType(WORD, 0, 9))), 3);
        assertThat(both.order()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> new BitFieldRun(0, List.of(), 0));
    }
}
