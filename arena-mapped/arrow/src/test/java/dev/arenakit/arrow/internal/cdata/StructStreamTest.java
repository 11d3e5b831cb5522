package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StructStreamTest {
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Point { int32_t x; };
            """);

    @Test
    void call_thatOverlapsTheRelease_readsNothing() {
        StructStream stream = new StructStream(TYPE, MemorySegment.ofArray(new int[]{1, 2}), 1);
        stream.close();
        try (Arena arena = Arena.ofConfined()) {
            long to = arena.allocate(CStruct.ARRAY.byteSize(), Long.BYTES).address();
            assertThat(stream.writeNext(to)).isEqualTo(StructStream.FAILED);
            assertThat(CStruct.ARRAY.isReleased(to)).isTrue();
            assertThat(stream.lastError()).isZero();
        }
    }
}
