package dev.arenakit.mapped.internal.tree;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class BytesPagesTest {
    private static final int PAGE = 4096;
    /// The field of a slot that contains the offset of its entry.
    private static final long ENTRY_BITS = 0xFFFF;

    private final TreePages pages = new BytesPages(PAGE, Long.BYTES);

    /// The page is the last one of the memory.
    @Test
    void append_ofEntriesThatExceedTheirPage_isRefused() {
        MemorySegment memory = MemorySegment.ofArray(new long[2 * PAGE / Long.BYTES]);
        pages.start(memory, 0, 1, 0);
        pages.start(memory, PAGE, 2, 0);
        for (String key : new String[]{"a", "b"}) {
            pages.append(memory, PAGE, TreeKey.OfBytes.of(key.getBytes(UTF_8)), MemorySegment.ofArray(new long[1]));
        }
        long slot = PAGE + TreeFormat.CONTENTS;
        memory.set(LONG, slot, (memory.get(LONG, slot) & ~ENTRY_BITS) | (PAGE + 64) / Long.BYTES);
        assertThatIllegalStateException().isThrownBy(() -> pages.append(memory, 0, PAGE, 1, 2))
                .withMessageContaining("damaged");
    }
}
