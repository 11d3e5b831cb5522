package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.AllocatorFunctions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExportMemoryTest {
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
}
