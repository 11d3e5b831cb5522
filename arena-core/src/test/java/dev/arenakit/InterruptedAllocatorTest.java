package dev.arenakit;

import dev.arenakit.collection.RecordList;
import dev.arenakit.layout.RecordMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Arenas and structures after an Error.
class InterruptedAllocatorTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void close_whoseCleanupFindsNoMemory_freesAConfinedArena(boolean checked) {
        SlabPool pool = SlabPool.create();
        FreeListArena.Builder builder = FreeListArena.builder().pool(pool);
        FreeListArena arena = checked ? builder.checked().build() : builder.build();
        arena.allocate(100);
        ScopeAccess.addCleanup(arena.scope(), () -> {
            throw new OutOfMemoryError("of the cleanup");
        });
        assertThatThrownBy(arena::close).isInstanceOf(OutOfMemoryError.class);
        pool.close();
        assertThat(pool.stats().usedByteSize()).isZero();
    }

    /// A record with an accessor that can fail.
    public record Quote(long price, int size) {
        private static boolean failing;

        @Override
        public int size() {
            if (failing) {
                throw new AssertionError("of the accessor");
            }
            return size;
        }
    }

    @Test
    void set_whoseAccessorThrowsAnError_leavesTheListUsable() {
        try (RecordList<Quote> list = RecordList.owning(MallocArena::ofConfined, RecordMapper.of(Quote.class))) {
            list.add(new Quote(1, 2));
            Quote.failing = true;
            assertThatThrownBy(() -> list.set(0, new Quote(3, 4))).isInstanceOf(AssertionError.class);
            Quote.failing = false;
            assertThat(list.get(0)).isEqualTo(new Quote(1, 2));
        } finally {
            Quote.failing = false;
        }
    }
}
