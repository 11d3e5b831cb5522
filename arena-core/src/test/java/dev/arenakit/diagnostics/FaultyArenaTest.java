package dev.arenakit.diagnostics;

import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class FaultyArenaTest {
    private static List<Boolean> first(int count, LongPredicate refuses) {
        return LongStream.rangeClosed(1, count).mapToObj(refuses::test).toList();
    }

    @Test
    void allocate_refused_isOutOfMemoryAndTheNextSucceeds() {
        try (Arena arena = FaultyArena.wrap(Arena.ofConfined(), AllocationFaults.nth(2))) {
            arena.allocate(10);
            assertThatThrownBy(() -> arena.allocate(20, 8)).isInstanceOf(OutOfMemoryError.class)
                    .hasMessage("Allocation refused on purpose: byteSize=20, byteAlignment=8");
            assertThat(arena.allocateFrom("text").getString(0)).isEqualTo("text");
        }
    }

    @Test
    void allocate_wrongOrClosed_isRejectedBeforeItIsCounted() {
        Arena arena = FaultyArena.wrap(Arena.ofConfined(), AllocationFaults.nth(1));
        assertThatThrownBy(() -> arena.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(OutOfMemoryError.class);
        arena.close();
        assertThatThrownBy(() -> arena.allocate(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void predicates_byNumber_refuseThese() {
        assertThat(first(5, AllocationFaults.nth(3))).containsExactly(false, false, true, false, false);
        assertThat(first(6, AllocationFaults.everyNth(3))).containsExactly(false, false, true, false, false, true);
        assertThatThrownBy(() -> AllocationFaults.nth(0)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Number of an allocation is not positive: n=0");
        assertThatThrownBy(() -> AllocationFaults.everyNth(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void predicate_bySize_refusesLargerOnes() {
        assertThat(first(4, AllocationFaults.above(2))).containsExactly(false, false, true, true);
    }

    @Test
    void predicate_atRandom_dependsOnTheSeedAlone() {
        List<Boolean> refused = first(10_000, AllocationFaults.atRandom(42, 0.1));
        assertThat(first(10_000, AllocationFaults.atRandom(42, 0.1))).isEqualTo(refused);
        assertThat(first(10_000, AllocationFaults.atRandom(43, 0.1))).isNotEqualTo(refused);
        assertThat(refused.stream().filter(each -> each).count()).isBetween(800L, 1_200L);
        assertThat(first(100, AllocationFaults.atRandom(1, 0))).containsOnly(false);
        assertThat(first(100, AllocationFaults.atRandom(1, 1))).containsOnly(true);
        assertThatIllegalArgumentException().isThrownBy(() -> AllocationFaults.atRandom(1, Double.NaN));
    }

    @Test
    void predicate_ofANativeAllocator_refusesItsBlocks() {
        List<Integer> refused = new ArrayList<>();
        NativeAllocator failing = NativeAllocator.failing(NativeAllocator.libc(), AllocationFaults.everyNth(2));
        try (MallocArena arena = MallocArena.builder().allocator(failing).build()) {
            for (int i = 1; i <= 4; i++) {
                try {
                    arena.allocate(i);
                } catch (OutOfMemoryError _) {
                    refused.add(i);
                }
            }
        }
        assertThat(refused).containsExactly(2, 4);
    }
}
