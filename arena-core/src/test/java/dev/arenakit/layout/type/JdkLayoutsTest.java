package dev.arenakit.layout.type;

import dev.arenakit.internal.nativecall.Addresses;
import dev.arenakit.layout.text.LayoutText;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static dev.arenakit.testing.Refusals.assertRefused;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/// Types that are converted from layouts of the JDK.
class JdkLayoutsTest {
    private static final StructLayout POINT = MemoryLayout
            .structLayout(JAVA_INT.withName("x"), JAVA_BYTE.withName("tag"),
                    MemoryLayout.paddingLayout(3))
            .withName("Point");
    private static final StructLayout LAYOUT = MemoryLayout.structLayout(
            JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN).withName("id"),
            MemoryLayout.sequenceLayout(3, POINT).withName("points"),
            MemoryLayout.unionLayout(JAVA_INT.withName("i"), JAVA_BYTE.withName("b"), MemoryLayout.paddingLayout(8))
                    .withName("either"),
            Addresses.withTarget(ADDRESS, POINT).withName("next"),
            ValueLayout.JAVA_SHORT_UNALIGNED.withName("odd"),
            MemoryLayout.paddingLayout(6)).withByteAlignment(32).withName("All");

    @Test
    void of_layout_saysTheSame() {
        StructType struct = StructType.of(LAYOUT);
        assertThat(struct.layout()).isEqualTo(unnamed(LAYOUT));
        StructType point = StructType.builder("Point")
                .add("x", ValueType.of(int.class))
                .add("tag", ValueType.of(byte.class))
                .build();
        assertThat(struct.member("points")).contains(new Member("points", 8, ArrayType.of(point, 3)));
        assertThat(struct.member("next")).contains(new Member("next", 40, AddressType.of(Optional.of(point))));
        assertThat(struct.member("odd"))
                .contains(new Member("odd", 48, ValueType.of(short.class).withByteAlignment(1)));
        assertThat(struct.byteAlignment()).isEqualTo(32);
    }

    @Test
    void of_layout_goesThroughText() {
        StructType struct = StructType.of(LAYOUT);
        assertThat(LayoutText.parse(LayoutText.print(struct))).isEqualTo(struct);
    }

    @Test
    void of_layoutOfAnyType_hasThatLayout() {
        for (int seed = 0; seed < 60; seed++) {
            StructLayout layout = RandomTypes.any(new Random(seed), "S").layout();
            StructType struct = StructType.of(layout);
            assertThat(struct.layout()).as("seed %s", seed).isEqualTo(layout);
            assertThat(LayoutText.parse(LayoutText.print(struct))).isEqualTo(struct);
        }
    }

    @Test
    void of_whatHasNoType_isRefused() {
        assertRefused(() -> StructType.of(MemoryLayout.structLayout(JAVA_INT)), "Member has no name");
        assertRefused(() -> StructType.of(MemoryLayout.structLayout(JAVA_INT.withName("a b"))), "a b");
        assertRefused(() -> MemoryType.of(MemoryLayout.paddingLayout(4)), "Padding");
        assertThat(MemoryType.of(MemoryLayout.sequenceLayout(2, JAVA_INT)))
                .isEqualTo(ArrayType.of(ValueType.of(int.class), 2));
    }

    @Test
    void of_memberThatHasNoType_isNamedWithTheRemedy() {
        StructLayout reserved = MemoryLayout.structLayout(JAVA_INT.withName("x"),
                MemoryLayout.sequenceLayout(3, MemoryLayout.paddingLayout(1)).withName("reserved")).withName("Head");
        assertRefused(() -> StructType.of(reserved), "member=reserved", "sequence of bytes");
        StructLayout odd = MemoryLayout.structLayout(JAVA_INT.withName("a b")).withName("Head");
        assertRefused(() -> StructType.of(odd), "name=a b", "withName");
    }

    @Test
    void of_anonymousGroupsOfJextract_areNamedByTheirPlace() {
        StructLayout layout = MemoryLayout.structLayout(JAVA_INT.withName("kind"),
                MemoryLayout.unionLayout(JAVA_INT.withName("i"),
                        MemoryLayout.structLayout(JAVA_BYTE.withName("b")).withName("$anon$5:3")).withName("$anon$3:9"),
                MemoryLayout.sequenceLayout(2, MemoryLayout.structLayout(JAVA_INT.withName("z")).withName("$anon$7:1"))
                        .withName("all"))
                .withName("$anon$1:1");
        StructType struct = StructType.of(layout);
        assertThat(struct.name()).isEqualTo("anon_1_1");
        assertThat(struct.members()).extracting(Member::name).containsExactly("kind", "anon_3_9", "all");
        assertThat(LayoutText.print(struct)).contains("struct anon_7_1 all[2];", "    } anon_5_3;");
    }

    /// The layout of a type, without the names of types, because the JDK compares names too.
    private static MemoryLayout unnamed(StructLayout layout) {
        List<MemoryLayout> members = layout.memberLayouts();
        StructLayout point = POINT.withoutName();
        return MemoryLayout.structLayout(members.get(0), MemoryLayout.sequenceLayout(3, point).withName("points"),
                members.get(2), Addresses.withTarget(ADDRESS, point).withName("next"), members.get(4), members.get(5))
                .withByteAlignment(32);
    }
}
