package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Tables of the members and holes of structs.
class LayoutTableTest {
    private static final ValueType BYTE = ValueType.of(byte.class);
    private static final ValueType LONG = ValueType.of(long.class);

    @Test
    void describe_bitFields_showsTheirBits() {
        StructType struct = LayoutText.parse("""
                #pragma layout 2
                struct S {
                    uint16_t a : 3; uint16_t b : 10; uint24_t c; uint16_t @char d; char @spaces e[4];
                    int32_t f[2] @count(a); uint8_t g : 1 @offset(28) @bit(6);
                };
                """);
        assertThat(LayoutText.describe(struct)).isEqualTo("""
                struct S: size 32, alignment 4

                offset  size  type                   name
                     0     1  uint16_t : 3           a
                     0     2  uint16_t : 10 @bit(3)  b
                     2     3  uint24_t               c
                     5     1  *** hole ***
                     6     2  uint16_t @char         d
                     8     4  char @spaces[4]        e
                    12     8  int32_t[2]             f
                    20     8  *** hole ***
                    28     1  uint8_t : 1 @bit(6)    g
                    29     3  *** hole ***

                Holes: 12 bytes in 3 places.
                """);
    }

    @Test
    void describe_structWithHoles_marksAndRemovesThem() {
        StructType point = StructType.builder("Point").add("x", ValueType.of(int.class)).add("tag", BYTE).build();
        StructType struct = StructType.builder("Order")
                .add("open", BYTE)
                .add("id", LONG)
                .add("at", point)
                .add("n", ArrayType.of(ArrayType.of(BYTE, 2), 3))
                .add("next", LONG)
                .add("last", BYTE)
                .build();
        assertThat(LayoutText.describe(struct)).isEqualTo("""
                struct Order: size 48, alignment 8

                offset  size  type            name
                     0     1  int8_t          open
                     1     7  *** hole ***
                     8     8  int64_t         id
                    16     8  struct Point    at
                    16     4    int32_t       x
                    20     1    int8_t        tag
                    21     3    *** hole ***
                    24     6  int8_t[3][2]    n
                    30     2  *** hole ***
                    32     8  int64_t         next
                    40     1  int8_t          last
                    41     7  *** hole ***

                Holes: 16 bytes in 3 places; inside of members: 3 bytes in 1 place.
                Without holes between its members: id, next, at, open, n, last; size 32 instead of 48.
                """);
    }

    @Test
    void describe_structWithoutHoles_givesNoAdvice() {
        StructType struct = StructType.builder("S").add("a", LONG).add("b", LONG).build();
        assertThat(LayoutText.describe(struct)).endsWith("Holes: none.\n");
    }

    @Test
    void describe_arraysAndUnions_countsTheirHoles() {
        StructType point = StructType.builder("Point").add("x", ValueType.of(int.class)).add("tag", BYTE).build();
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        members.put("n", ArrayType.of(BYTE, 5));
        members.put("i", ValueType.of(int.class));
        StructType struct = StructType.builder("S")
                .add("points", ArrayType.of(ArrayType.of(point, 3), 2))
                .add("none", ArrayType.of(point, 0))
                .add("u", UnionType.of("U", members, Optional.empty()))
                .build();
        assertThat(LayoutText.describe(struct)).isEqualTo("""
                struct S: size 56, alignment 4

                offset  size  type                name
                     0    48  struct Point[2][3]  points
                     0     4    int32_t           x
                     4     1    int8_t            tag
                     5     3    *** hole ***      (6 times)
                    48     0  struct Point[0]     none
                    48     8  union U             u
                    48     5    int8_t[5]         n
                    48     4    int32_t           i
                    53     3    *** hole ***

                Holes: none; inside of members: 21 bytes in 7 places.
                """);
    }

    @Test
    void describe_largeHolesOfAUnion_overflowsNowhere() {
        StructType hollow = new StructType("H", List.of(new Member("a", 0, LONG)), Long.MAX_VALUE - 7, 8);
        SequencedMap<String, MemoryType> members = new LinkedHashMap<>();
        List.of("a", "b", "c").forEach(name -> members.put(name, hollow));
        StructType struct = StructType.builder("S").add("u", UnionType.of("", members, Optional.empty())).build();
        assertThat(LayoutText.describe(struct)).contains("inside of members: 9223372036854775807 bytes in 3 places");
    }

    @Test
    void describe_overAlignedMembers_findsTheOrderWithoutHoles() {
        ValueType aligned = BYTE.withByteAlignment(4);
        StructType.Builder builder = StructType.builder("R").add("a", aligned).add("b", aligned);
        List.of("c", "d", "e", "f", "g", "h").forEach(name -> builder.add(name, BYTE));
        assertThat(LayoutText.describe(builder.build()))
                .endsWith("Without holes between its members: a, c, d, e, b, f, g, h; size 8 instead of 12.\n");
    }

    @Test
    void describe_manyMembers_isDone() {
        StructType.Builder builder = StructType.builder("Many");
        builder.add("first", BYTE).add("second", LONG);
        for (int i = 0; i < 10_000; i++) {
            builder.add("m" + i, BYTE.withByteAlignment(8));
        }
        assertThat(LayoutText.describe(builder.build())).contains("size 80008 instead of 80016");
    }

    @Test
    void describe_anySize_overflowsNowhere() {
        StructType struct = new StructType("", List.of(new Member("a", 0, LONG)), Long.MAX_VALUE, 1L << 62);
        assertThat(LayoutText.describe(struct)).contains("9223372036854775799");
    }

    @Test
    void text_ofDeepNesting_isRefused() {
        MemoryType type = BYTE;
        for (int i = 0; i < 100_000; i++) {
            type = AddressType.of(Optional.of(type));
        }
        StructType struct = StructType.builder("Deep").add("p", type).build();
        assertRefused(() -> LayoutText.describe(struct), "depth=65");
        assertThatIllegalArgumentException().isThrownBy(() -> LayoutText.print(struct));
        assertThatIllegalArgumentException().isThrownBy(() -> LayoutText.toCHeader(struct));
    }

    @Test
    void text_ofManyParts_isRefused() {
        StructType type = StructType.builder("").build();
        for (int i = 0; i < 40; i++) {
            type = StructType.builder("").add("a", type).add("b", type).build();
        }
        StructType struct = type;
        assertRefused(() -> LayoutText.print(struct), "maxParts=262144");
    }
}
