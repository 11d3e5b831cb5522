package dev.arenakit.mapped.internal.arena;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemoryLayout;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.lang.foreign.ValueLayout.JAVA_CHAR;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class TypeMismatchTest {
    private static final MemoryLayout ID = JAVA_LONG.withName("id");
    private static final MemoryLayout COUNT = JAVA_INT.withName("count");
    private static final MemoryLayout PRICE = JAVA_INT.withName("price");
    private static final MemoryLayout PADDING = MemoryLayout.paddingLayout(4);
    private static final StructType RECORDED = struct(ID, COUNT, PRICE);

    private static StructType struct(MemoryLayout... members) {
        return StructType.of(MemoryLayout.structLayout(members).withName("Order"));
    }

    private static Arguments orders(String mismatch, MemoryLayout... requested) {
        return arguments(RECORDED, struct(requested), mismatch);
    }

    private static Arguments boxes(MemoryLayout recorded, MemoryLayout requested, String mismatch) {
        return arguments(struct(recorded.withName("a")), struct(requested.withName("a")), mismatch);
    }

    static Stream<Arguments> mismatches() {
        return Stream.of(
                orders("member=count, recorded=int32_t count at byteOffset=8, requested=double count at byteOffset=8",
                        ID, JAVA_DOUBLE.withName("count")),
                orders("member=count, recorded=int32_t count at byteOffset=8, requested=int32_t count at byteOffset=12",
                        ID, PADDING, COUNT, PRICE, PADDING),
                orders("member=count, recorded=int32_t count at byteOffset=8, "
                        + "requested=int32_t quantity at byteOffset=8", ID, JAVA_INT.withName("quantity"), PRICE),
                orders("member=price, recorded=int32_t price at byteOffset=12, requested=none", ID, COUNT, PADDING),
                arguments(struct(ID, COUNT, PADDING), RECORDED,
                        "member=price, recorded=none, requested=int32_t price at byteOffset=12"),
                boxes(MemoryLayout.structLayout(JAVA_INT.withName("x")),
                        MemoryLayout.structLayout(JAVA_INT.withName("y")),
                        "member=a.x, recorded=int32_t x at byteOffset=0, requested=int32_t y at byteOffset=0"),
                boxes(MemoryLayout.sequenceLayout(4, JAVA_INT), MemoryLayout.sequenceLayout(8, JAVA_INT),
                        "member=a, recorded=int32_t[4] a at byteOffset=0, requested=int32_t[8] a at byteOffset=0"),
                boxes(JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN), JAVA_INT.withOrder(ByteOrder.BIG_ENDIAN),
                        "member=a, recorded=int32_t a at byteOffset=0, requested=int32_t @big a at byteOffset=0"),
                arguments(RECORDED, StructType.of(MemoryLayout.structLayout(ID, COUNT, PRICE).withName("Crate")),
                        "recorded=struct Order of byteSize=16 and byteAlignment=8, requested=struct Crate of "
                                + "byteSize=16 and byteAlignment=8"));
    }

    @ParameterizedTest
    @MethodSource("mismatches")
    void describe_firstMemberThatDiffers_isNamed(StructType recorded, StructType requested, String mismatch) {
        assertThat(TypeMismatch.describe(LayoutText.print(recorded), requested)).isEqualTo(mismatch);
    }

    @Test
    void isSame_textOfVersion1_isOfTheSameType() {
        StructType letters = struct(JAVA_CHAR.withName("letter"), JAVA_CHAR.withName("other"));
        String before = "#pragma layout 1\n\nstruct Order {\n    uint16_t letter;\n    uint16_t other;\n};\n";
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
