package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExportMemoryTest {
    private static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Point { int32_t x; };
            """);

    @Test
    void allocate_afterFree_isInANewBlock() {
        ExportMemory memory = new ExportMemory();
        memory.allocate(Long.BYTES, Long.BYTES);
        memory.free();
        long address = memory.allocate(Long.BYTES, Long.BYTES).address();
        memory.free();
        // The memory is at the start of a block, and not behind what was allocated in the freed one.
        assertThat(address % AllocatorFunctions.MALLOC_ALIGNMENT).isZero();
    }

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
