package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class TypeMismatchTest {
    private static final StructType RECORDED = struct("Order", JAVA_LONG.withName("id"), JAVA_INT.withName("count"),
            JAVA_INT.withName("price"));

    private static StructType struct(String name, MemoryLayout... members) {
        return StructType.of(MemoryLayout.structLayout(members).withName(name));
    }

    private static String describe(StructType requested) {
        return describe(RECORDED, requested);
    }

    private static String describe(StructType recorded, StructType requested) {
        return TypeMismatch.describe(LayoutText.print(recorded), requested);
    }

    @Test
    void describe_memberOfAnotherType_namesTheFirstOne() {
        assertThat(describe(struct("Order", JAVA_LONG.withName("id"), JAVA_DOUBLE.withName("count"))))
                .isEqualTo(
                        "member=count, recorded=int32_t count at byteOffset=8, requested=double count at byteOffset=8");
    }

    @Test
    void describe_memberAtAnotherOffset_namesBothOffsets() {
        assertThat(describe(struct("Order", JAVA_LONG.withName("id"), MemoryLayout.paddingLayout(4),
                JAVA_INT.withName("count"), JAVA_INT.withName("price"), MemoryLayout.paddingLayout(4))))
                .isEqualTo(
                        "member=count, recorded=int32_t count at byteOffset=8, requested=int32_t count at byteOffset=12");
    }

    @Test
    void describe_memberOfAnotherName_namesBoth() {
        assertThat(describe(struct("Order", JAVA_LONG.withName("id"), JAVA_INT.withName("quantity"),
                JAVA_INT.withName("price"))))
                .isEqualTo(
                        "member=count, recorded=int32_t count at byteOffset=8, requested=int32_t quantity at byteOffset=8");
    }

    @Test
    void describe_memberAddedOrRemoved_namesIt() {
        StructType shorter = struct("Order", JAVA_LONG.withName("id"), JAVA_INT.withName("count"),
                MemoryLayout.paddingLayout(4));
        assertThat(describe(shorter))
                .isEqualTo("member=price, recorded=int32_t price at byteOffset=12, requested=none");
        assertThat(describe(shorter, RECORDED))
                .isEqualTo("member=price, recorded=none, requested=int32_t price at byteOffset=12");
    }

    @Test
    void describe_memberOfANestedStruct_namesThePath() {
        assertThat(describe(struct("Outer", MemoryLayout.structLayout(JAVA_INT.withName("x")).withName("point")),
                struct("Outer", MemoryLayout.structLayout(JAVA_INT.withName("y")).withName("point"))))
                .isEqualTo("member=point.x, recorded=int32_t x at byteOffset=0, requested=int32_t y at byteOffset=0");
    }

    @Test
    void describe_arrayOfAnotherLength_namesBothLengths() {
        assertThat(describe(struct("Box", MemoryLayout.sequenceLayout(4, JAVA_INT).withName("a")),
                struct("Box", MemoryLayout.sequenceLayout(8, JAVA_INT).withName("a"))))
                .isEqualTo("member=a, recorded=int32_t[4] a at byteOffset=0, requested=int32_t[8] a at byteOffset=0");
    }

    @Test
    void describe_otherByteOrder_namesTheOrder() {
        assertThat(describe(struct("Box", JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).withName("a")),
                struct("Box", JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN).withName("a"))))
                .isEqualTo("member=a, recorded=int32_t a at byteOffset=0, requested=int32_t @big a at byteOffset=0");
    }

    @Test
    void describe_sameMembers_namesTheStructs() {
        assertThat(describe(struct("Box", JAVA_INT.withName("a")), struct("Crate", JAVA_INT.withName("a")))).isEqualTo(
                "recorded=struct Box of byteSize=4 and byteAlignment=4, requested=struct Crate of byteSize=4 and"
                        + " byteAlignment=4");
    }

    @Test
    void isSame_textOfVersion1_isOfTheSameType() {
        StructType letters = struct("Letters", JAVA_CHAR.withName("letter"), JAVA_CHAR.withName("other"));
        String before = "#pragma layout 1\n\nstruct Letters {\n    uint16_t letter;\n    uint16_t other;\n};\n";
        assertThat(LayoutText.print(letters)).isNotEqualTo(before);
        assertThat(TypeMismatch.isSame(before, letters)).isTrue();
        assertThat(TypeMismatch.isSame(before.replace("layout 1", "layout 2"), letters)).isFalse();
        assertThat(TypeMismatch.isSame("#pragma layout 99", letters)).isFalse();
    }

    @Test
    void describe_unreadableText_showsIt() {
        assertThat(TypeMismatch.describe("#pragma layout 99", RECORDED)).startsWith("recorded=#pragma layout 99, ");
    }
}
