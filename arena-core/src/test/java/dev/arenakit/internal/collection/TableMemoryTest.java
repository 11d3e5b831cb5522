package dev.arenakit.internal.collection;

import dev.arenakit.CapacityExceededException;
import dev.arenakit.collection.TestAllocator;
import dev.arenakit.internal.collection.TableMemory.Table;
import dev.arenakit.testing.Threads;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TableMemoryTest {

    private final TestAllocator allocator = new TestAllocator();

    private TableMemory open(boolean isOwning) {
        return isOwning ? TableMemory.owning(allocator) : TableMemory.of(allocator);
    }

    private static Table use(Table table) {
        table.isUnused = false;
        return table;
    }

    @Test
    void grow_javaHeapIsExhausted_losesTheElements() {
        try (TableMemory memory = open(false)) {
            ElementArray array = new ElementArray(memory, "LongList", Long.BYTES, Long.BYTES, 0);
            allocator.refuseAfter(0);
            assertThatThrownBy(() -> array.ensureCapacity(100)).isInstanceOf(OutOfMemoryError.class);
            assertThat(array.sizeIfOpen()).isZero();
            allocator.exhaustJavaHeap();
            assertThatThrownBy(() -> array.ensureCapacity(100)).isInstanceOf(OutOfMemoryError.class);
            assertThatIllegalStateException().isThrownBy(array::sizeIfOpen)
                    .withMessage("An Error has interrupted a change, so that contents may be wrong:"
                            + " structure=LongList; close the structure, and create a new one");
        }
        assertThat(allocator.held()).isEqualTo(1);
    }

    @SuppressWarnings("restricted")
    private static void addCleanup(Arena arena, Runnable cleanup) {
        MemorySegment.ofAddress(1).reinterpret(arena, _ -> cleanup.run());
    }

    @Test
    void close_whenACleanupThrows_releasesTheOthersToo() {
        List<Arena> arenas = new ArrayList<>();
        TableMemory memory = TableMemory.owning(() -> {
            Arena arena = Arena.ofConfined();
            addCleanup(arena, () -> {
                throw new IllegalArgumentException("a cleanup");
            });
            arenas.add(arena);
            return arena;
        });
        for (int i = 0; i < 3; i++) {
            memory.allocate(16, 8);
        }
        assertThatThrownBy(memory::close).hasMessage("a cleanup");
        assertThat(arenas).hasSize(3).noneMatch(arena -> arena.scope().isAlive());
        memory.close();
    }

    @Test
    void release_whoseCleanupAllocates_keepsTheNewTable() {
        List<Arena> arenas = new ArrayList<>();
        AtomicReference<TableMemory> memory = new AtomicReference<>();
        memory.set(TableMemory.owning(() -> {
            Arena arena = Arena.ofConfined();
            if (arenas.isEmpty()) {
                addCleanup(arena, () -> memory.get().allocate(16, 8));
            }
            arenas.add(arena);
            return arena;
        }));
        memory.get().allocate(16, 8);
        memory.get().releaseUnused();
        assertThat(arenas).hasSize(2);
        memory.get().close();
        assertThat(arenas).noneMatch(arena -> arena.scope().isAlive());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void close_inUse_throwsAndCanBeRepeated(boolean isOwning) {
        TableMemory memory = open(isOwning);
        memory.allocate(16, 8);
        allocator.setBusy(true);
        assertThatIllegalStateException().isThrownBy(memory::close).withMessageContaining("in use");
        allocator.setBusy(false);
        memory.close();
        memory.close();
        assertThat(allocator.held()).isZero();
    }

    @Test
    void allocate_fromASliceThatIsFull_throwsItsSizes() {
        try (Arena arena = Arena.ofConfined()) {
            TableMemory memory = TableMemory.of(SegmentAllocator.slicingAllocator(arena.allocate(100, 8)));
            use(memory.allocate(40, 8));
            assertThatThrownBy(() -> memory.allocate(80, 8)).isInstanceOf(CapacityExceededException.class)
                    .hasMessage("The allocator of the structure is full: used=40, requested=80; give the"
                            + " structure an allocator with more memory")
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void close_byAWrongThread_releasesNoTableLater() {
        try (TableMemory memory = TableMemory.owning(allocator)) {
            Table first = use(memory.allocate(16, 8));
            Table second = use(memory.allocate(16, 8));
            assertThat(Threads.thrownBy(memory::close)).isInstanceOf(WrongThreadException.class);
            first.isUnused = true;
            memory.releaseUnused();
            assertThat(allocator.held()).isEqualTo(1);
            second.segment.set(JAVA_LONG, 0, 42);
        }
        assertThat(allocator.held()).isZero();
    }
}
