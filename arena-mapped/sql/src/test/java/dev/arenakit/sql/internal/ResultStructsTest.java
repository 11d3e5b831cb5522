package dev.arenakit.sql.internal;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ResultStructsTest {
    @Test
    void enum_withTheNameOfOtherValues_isEncodedAsAnUnusedValue() {
        EnumType type = new EnumType("E", ValueType.of(byte.class),
                List.of(new EnumType.Constant("A", 0), new EnumType.Constant("B", 1)), Optional.of("OTHER"));
        MemorySegment encoded = MemorySegment.ofArray(new byte[1]);
        ResultStructs.encode(type, "OTHER", encoded);
        assertThat(encoded.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 2);
    }
}
