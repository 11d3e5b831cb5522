package dev.arenakit.dump;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

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
    void of_elementOfANumberArray_isTheElement() {
        Member samples = new Member("samples", 0, ArrayType.of(ValueType.of(short.class), 8));
        StructType struct = new StructType("S", List.of(samples), 16, 2);
        FieldLocation field = FieldLocation.of(struct, 16 + 7);
        assertThat(field.path()).isEqualTo("[1].samples[3]");
        assertThat(field.byteOffset()).isEqualTo(16 + 6);
        assertThat(field.byteSize()).isEqualTo(2);
        assertThat(field.member()).contains(samples);
        assertThat(field.struct()).isEqualTo(struct);
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
    void of_union_isOneField() {
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("point", POINT);
        members.put("number", ValueType.of(int.class));
        UnionType union = UnionType.of("Any", members, Optional.empty());
        StructType struct = StructType.builder("S").add("any", union).build();
        FieldLocation field = FieldLocation.of(struct, 9);
        assertThat(field.path()).isEqualTo("[1].any");
        assertThat(field.type()).isEqualTo(union);
        assertThat(field.byteOffset()).isEqualTo(8);
        assertThat(field.byteSize()).isEqualTo(8);
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
            case StructType struct -> struct.members()
                    .forEach(member -> fields(member.type(), path + "." + member.name(), start + member.byteOffset(),
                            names));
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
