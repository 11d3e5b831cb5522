package dev.arenakit.sql.internal;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import dev.arenakit.mapped.Allocation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/// Tests of the names of tables.
class ImageSchemaTest {
    private static final StructType POINT = LayoutText.parse("""
            #pragma layout 2
            struct Point { int32_t x; int32_t y; };
            """);

    @Test
    void addAll_nameWithANul_hasTheNumberOfTheAllocation() {
        ImageSchema schema = new ImageSchema("main", Path.of("base"), _ -> Path.of("data"), () -> false);
        schema.addAll(Stream.of(allocation(6, "points"), allocation(7, "a\0b"), allocation(8, "\0")),
                _ -> Optional.of(POINT), _ -> false);
        assertThat(schema.columns().keySet()).containsExactly("points", "#7", "#8");
        assertThat(schema.leftOut()).isEmpty();
    }

    private static Allocation allocation(long number, String name) {
        return new Allocation(number, Optional.of(name), Optional.empty(), 0, 0, 8, 0, 4, true, Optional.empty(),
                OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    @Test
    void enum_withTheNameOfOtherValues_isEncodedAsAnUnusedValue() {
        EnumType type = new EnumType("E", ValueType.of(byte.class),
                List.of(new EnumType.Constant("A", 0), new EnumType.Constant("B", 1)), Optional.of("OTHER"));
        MemorySegment encoded = MemorySegment.ofArray(new byte[1]);
        ResultStructs.encode(type, "OTHER", encoded);
        assertThat(encoded.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    }
}
