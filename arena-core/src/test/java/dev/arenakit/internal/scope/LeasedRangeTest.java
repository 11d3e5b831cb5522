package dev.arenakit.internal.scope;

import dev.arenakit.collection.LongList;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LeasedRangeTest {
    @Test
    void isIn_ofOverlappingMemory_isTrueUntilTheRelease() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64, 8);
            LeasedRange first = LeasedRange.of(memory.asSlice(0, 16));
            LeasedRange second = LeasedRange.of(memory.asSlice(8, 16));
            LeasedRange third = LeasedRange.of(memory.asSlice(40, 8));
            assertThat(LeasedRange.isIn(memory.asSlice(0, 1))).isTrue();
            assertThat(LeasedRange.isIn(memory.asSlice(24, 16))).isFalse();
            assertThat(LeasedRange.isIn(memory.asSlice(47))).isTrue();
            assertThat(LeasedRange.isIn(memory.asSlice(48))).isFalse();
            second.release();
            assertThat(LeasedRange.isIn(memory.asSlice(16, 8))).isFalse();
            assertThat(LeasedRange.isIn(memory.asSlice(8, 8))).isTrue();
            first.release();
            assertThat(LeasedRange.isIn(memory.asSlice(0, 40))).isFalse();
            assertThat(LeasedRange.isIn(MemorySegment.ofArray(new byte[1]))).isFalse();
            third.release();
            assertThat(LeasedRange.isIn(memory)).isFalse();
        }
    }

    @Test
    void list_whoseTableIsLeased_freesItAfterTheRelease() {
        // Overwrites the blocks that are freed.
        DebugArena blocks = DebugArena.wrap(Arena.ofConfined(), DebugOptions.canaries());
        LongList list = LongList.create(blocks);
        list.add(7);
        MemorySegment table = list.asSegment();
        LeasedRange lease = LeasedRange.of(table);
        list.ensureCapacity(1000);
        assertThat(table.get(JAVA_LONG, 0)).isEqualTo(7);
        lease.release();
        list.ensureCapacity(10_000);
        assertThat(table.get(JAVA_LONG, 0)).isNotEqualTo(7);
        blocks.close();
    }

    @Test
    void close_ofAListWhoseTableIsLeased_throwsAndCanBeCalledAgain() {
        LongList list = LongList.owning(Arena::ofConfined);
        list.add(7);
        MemorySegment table = list.asSegment();
        LeasedRange lease = LeasedRange.of(table);
        assertThatIllegalStateException().isThrownBy(list::close).withMessageContaining("in use");
        assertThat(table.get(JAVA_LONG, 0)).isEqualTo(7);
        lease.release();
        list.close();
        assertThat(table.scope().isAlive()).isFalse();
    }
}
