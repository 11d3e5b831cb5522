package dev.arenakit.arrow;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// Tests types whose text is short and that have very many columns.
class ManyColumnsTest {
    /// A struct with 2 to the power of a number of values, whose text grows by one line for each doubling.
    private static StructType doubled(int times) {
        StructType type = StructType.builder("L0").add("x", ValueType.of(byte.class)).build();
        for (int i = 1; i <= times; i++) {
            type = StructType.builder("L" + i).add("a", type).add("b", type).build();
        }
        return type;
    }

    @Test
    void stream_ofTooManyColumns_isRefusedWithBothNumbers() {
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(doubled(16)))
                .withMessageContaining("type=L16, columns=65536, largest=4096");
        // The columns are not made before they are counted.
        assertThatIllegalArgumentException().isThrownBy(() -> ArrowIpc.stream(doubled(40)))
                .withMessageContaining("columns=2147483647, largest=4096");
    }

    @Test
    void stream_ofAsManyColumnsAsPossible_isMade() {
        assertThat(ArrowIpc.stream(doubled(12))).isNotNull();
    }
}
