package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Fields that are found by the offset of a byte.
class FieldLocationTest {
    private static final StructType POINT = StructType.builder("Point")
            .add("x", ValueType.of(byte.class))
            .add("y", ValueType.of(int.class))
            .build();

    @Test
    void of_memberOfAnElement_isLocatedInItsStruct() {
        StructType line = StructType.builder("Line")
                .add("id", ValueType.of(long.class))
                .add("points", ArrayType.of(POINT, 2))
                .build();
        FieldLocation field = FieldLocation.of(line, 7 * 24 + 21);
        assertThat(field.path()).isEqualTo("[7].points[1].y");
        assertThat(field.isPadding()).isFalse();
        assertThat(field.type()).isEqualTo(ValueType.of(int.class));
        assertThat(field.byteOffset()).isEqualTo(7 * 24 + 20);
        assertThat(field.byteSize()).isEqualTo(4);
        assertThat(field.struct()).isEqualTo(POINT);
        assertThat(field.structOffset()).isEqualTo(7 * 24 + 16);
        assertThat(field.member()).contains(POINT.members().getLast());
    }

    @Test
    void of_padding_isAllOfItUpToTheNextMember() {
        StructType struct = StructType.builder("S").add("flag", ValueType.of(byte.class)).add("p", POINT).build();
        FieldLocation inner = FieldLocation.of(struct, 12 + 6);
        assertThat(inner.isPadding()).isTrue();
        assertThat(inner.path()).isEqualTo("[1].p");
        assertThat(inner.type()).isEqualTo(POINT);
        assertThat(inner.byteOffset()).isEqualTo(12 + 5);
        assertThat(inner.byteSize()).isEqualTo(3);
        assertThat(inner.member()).isEmpty();
        FieldLocation outer = FieldLocation.of(struct, 12 + 3);
        assertThat(outer.path()).isEqualTo("[1]");
        assertThat(outer.byteOffset()).isEqualTo(12 + 1);
        assertThat(outer.byteSize()).isEqualTo(3);
    }

    @Test
    void of_bitFields_isOneLocationOfThoseThatShareBytes() {
        UnsignedType word = UnsignedType.of(2, ByteOrder.LITTLE_ENDIAN);
        StructType struct = StructType.builder("S")
                .addBits("a", word, 3)
                .addBits("b", word, 7)
                .addBits("c", word, 8)
                .addBits("d", word, 8)
                .add("e", word)
                .build();
        for (long at : new long[]{6, 7}) {
            FieldLocation field = FieldLocation.of(struct, at);
            assertThat(field.path()).isEqualTo("[1].a..b");
            assertThat(field.bitFields()).isEqualTo(struct.members().subList(0, 2));
            assertThat(field.path(struct.members().get(1))).isEqualTo("[1].b");
            assertThat(field.byteOffset()).isEqualTo(6);
            assertThat(field.byteSize()).isEqualTo(2);
            assertThat(field.type()).isEqualTo(struct.members().getFirst().type());
        }
        assertThat(FieldLocation.of(struct, 2).path()).isEqualTo("[0].c");
        assertThat(FieldLocation.of(struct, 3).path()).isEqualTo("[0].d");
        assertThat(FieldLocation.of(struct, 4).bitFields()).isEmpty();
        assertRefused(() -> FieldLocation.of(struct, 2).path(struct.members().getFirst()), "bitField=a, path=[0].c");
        StructType holes = new StructType("H", List.of(new Member("a", 1, new BitFieldType(word, 7, 2))), 4, 1);
        assertThat(FieldLocation.of(holes, 0).isPadding()).isTrue();
        assertThat(FieldLocation.of(holes, 2).path()).isEqualTo("[0].a");
        assertThat(FieldLocation.of(holes, 3).byteOffset()).isEqualTo(3);
        assertThat(FieldLocation.of(holes, 3).isPadding()).isTrue();
    }

    @Test
    void of_lastOffset_doesNotOverflow() {
        StructType struct = StructType.builder("S").add("a", ArrayType.of(POINT, 1L << 50)).build();
        FieldLocation field = FieldLocation.of(struct, Long.MAX_VALUE);
        assertThat(field.path()).isEqualTo("[1023].a[1125899906842623].y");
        assertThat(field.byteOffset()).isEqualTo(Long.MAX_VALUE - 3);
        assertThat(field.byteSize()).isEqualTo(4);
    }

    @Test
    void of_noByteAtTheOffset_isRefused() {
        StructType empty = StructType.builder("Empty").build();
        assertThatThrownBy(() -> FieldLocation.of(empty, 0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No field at this offset: struct=Empty, struct.byteSize=0, byteOffset=0");
        assertThatThrownBy(() -> FieldLocation.of(POINT, -1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No field at this offset: struct=Point, struct.byteSize=8, byteOffset=-1");
    }

    @Test
    void of_randomStructs_isWhatASearchOfAllFieldsFinds() {
        Random random = new Random(15);
        RandomStructs structs = new RandomStructs(random);
        for (int round = 0; round < 300; round++) {
            StructType struct = structs.struct();
            List<String> expected = new ArrayList<>();
            for (long i = 0; i < 2 * struct.byteSize(); i++) {
                expected.add("padding");
            }
            fields(struct, "[0]", 0, expected);
            fields(struct, "[1]", struct.byteSize(), expected);
            for (int i = 0; i < expected.size(); i++) {
                FieldLocation field = FieldLocation.of(struct, i);
                String found = field.isPadding()
                        ? "padding"
                        : field.path() + " at " + field.byteOffset() + ", " + field.byteSize();
                assertThat(found).as("round %d, offset %d", round, i).isEqualTo(expected.get(i));
            }
        }
    }

    private static void fields(MemoryType type, String path, long start, List<String> names) {
        switch (type) {
            case StructType struct -> {
                for (int i = 0; i < struct.members().size();) {
                    Member member = struct.members().get(i);
                    int end = i + 1;
                    long limit = member.limit();
                    while (end < struct.members().size() && struct.members().get(end).byteOffset() < limit) {
                        limit = Math.max(limit, struct.members().get(end++).limit());
                    }
                    String name = path + "." + member.name();
                    if (end > i + 1) {
                        // Only bit fields share bytes.
                        name += ".." + struct.members().get(end - 1).name();
                        for (long at = start + member.byteOffset(); at < start + limit; at++) {
                            names.set((int) at, name + " at " + (start + member.byteOffset()) + ", "
                                    + (limit - member.byteOffset()));
                        }
                    } else {
                        fields(member.type(), name, start + member.byteOffset(), names);
                    }
                    i = end;
                }
            }
            case ArrayType array -> {
                for (long i = 0; array.byteSize() > 0 && i < array.length(); i++) {
                    fields(array.element(), path + "[" + i + "]", start + i * array.element().byteSize(), names);
                }
            }
            default -> {
                for (long i = start; i < start + type.byteSize(); i++) {
                    names.set((int) i, path + " at " + start + ", " + type.byteSize());
                }
            }
        }
    }
}
