package dev.arenakit;

import dev.arenakit.collection.LongList;
import dev.arenakit.collection.RecordList;
import dev.arenakit.layout.RecordMapper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Allocators and structures after an Error. The flags of interrupted changes are set by reflection, because no test
/// can make the stack overflow between two certain statements.
class InterruptedAllocatorTest {
    private static final int VALUES = 128;

    @Test
    void free_afterAnInterruptedChangeOfAList_frees() throws ReflectiveOperationException {
        try (Arena arena = Arena.ofConfined()) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(4 << 20, 1 << 16));
            // The list has a block of 1 KiB. With these blocks, two slabs are full, and a third one is current.
            LongList list = LongList.create(allocator, VALUES);
            for (int i = 0; i < VALUES; i++) {
                list.add(i);
            }
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i < VALUES; i++) {
                blocks.add(allocator.allocateRaw(1024));
            }
            // A slab for the larger block of the list.
            allocator.allocateRaw(1536);
            blocks.removeLast();
            // The next block that is freed makes the allocator look at the slab.
            for (int i = 0; i < 3; i++) {
                allocator.freeRaw(blocks.removeFirst());
            }
            interrupt(field(field(allocator, "blocks"), "common"));
            list.add(VALUES);
            for (long block : blocks) {
                allocator.freeRaw(block);
            }
            assertThatThrownBy(() -> allocator.freeRaw(blocks.getFirst())).isInstanceOf(IllegalArgumentException.class);
            for (int i = 0; i < 3; i++) {
                allocator.allocate(100_000, 8).fill((byte) 7);
            }
            for (int i = 0; i <= VALUES; i++) {
                assertThat(list.get(i)).isEqualTo(i);
            }
        }
    }

    @Test
    void free_afterAnInterruptedChangeOfTheRuns_freesAndAllocateThrows() throws ReflectiveOperationException {
        try (Arena arena = Arena.ofConfined()) {
            OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(4 << 20, 1 << 16));
            LongList list = LongList.create(allocator, VALUES);
            MemorySegment large = allocator.allocate(100_000, 8);
            interrupt(field(field(field(allocator, "blocks"), "space"), "runs"));
            allocator.free(large);
            assertThatThrownBy(() -> allocator.free(large)).isInstanceOf(IllegalArgumentException.class);
            list.close();
            assertThatThrownBy(() -> allocator.allocate(100_000, 8)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("interrupted");
        }
    }

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

    private static void interrupt(Object structure) throws ReflectiveOperationException {
        Field changing = structure.getClass().getDeclaredField("changing");
        changing.setAccessible(true);
        changing.set(structure, true);
    }

    private static Object field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(owner);
    }
}
