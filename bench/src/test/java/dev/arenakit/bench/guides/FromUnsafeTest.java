package dev.arenakit.bench.guides;

import dev.arenakit.MallocArena;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static net.openhft.chronicle.core.UnsafeMemory.UNSAFE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Runs both columns of the section "sun.misc.Unsafe" of `docs/migration.md`.
///
/// The instance is the constant of another library: no option silences the compiler's warning about the class's name.
@SuppressWarnings({"removal", "restricted"})
class FromUnsafeTest {
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED;
    private static final LongField COUNT = RecordMapper.of(MethodHandles.lookup(), Counter.class).longField("count");

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final MallocArena arena = MallocArena.ofConfined();
    private final MemorySegment block = arena.allocate(64).fill((byte) 0);
    private long address = UNSAFE.allocateMemory(64);

    FromUnsafeTest() {
        UNSAFE.setMemory(address, 64, (byte) 0);
    }

    record Counter(long count) {}

    @AfterEach
    void free() {
        UNSAFE.freeMemory(address);
        arena.close();
    }

    private byte[] there(long byteSize) {
        return MEMORY.asSlice(address, byteSize).toArray(JAVA_BYTE);
    }

    @Test
    void rows_areTested() throws IOException {
        Guide.section("sun.misc.Unsafe", FromUnsafeTest.class).assertRowsAreTested();
    }

    @Test
    void allocate_returnsMemoryThatCanBeFreed() {
        long address = UNSAFE.allocateMemory(64);
        MemorySegment block = arena.allocate(64);
        UNSAFE.putLong(address, 42);
        block.set(JAVA_LONG, 0, 42);
        assertThat(block.get(JAVA_LONG, 0)).isEqualTo(UNSAFE.getLong(address));
        UNSAFE.freeMemory(address);
        arena.free(block);
        assertThatThrownBy(() -> arena.free(block)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void reallocate_keepsTheBytes() {
        UNSAFE.putLong(address, 42);
        block.set(JAVA_LONG, 0, 42);
        address = UNSAFE.reallocateMemory(address, 128);
        MemorySegment larger = arena.reallocate(block, 128);
        assertThat(larger.asSlice(0, 64).toArray(JAVA_BYTE)).isEqualTo(there(64));
    }

    @Test
    void put_checksBounds() {
        UNSAFE.putLong(address + 8, 42);
        block.set(JAVA_LONG, 8, 42);
        assertThat(block.toArray(JAVA_BYTE)).isEqualTo(there(64));
        assertThatThrownBy(() -> block.set(JAVA_LONG, 64, 42)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void compareAndSet_succeedsOnce() {
        boolean there = UNSAFE.compareAndSwapLong(null, address, 0, 42);
        boolean here = COUNT.compareAndSet(block, 0, 0, 42);
        assertThat(here).isEqualTo(there).isTrue();
        assertThat(COUNT.compareAndSet(block, 0, 0, 42)).isFalse();
        assertThat(COUNT.get(block, 0)).isEqualTo(UNSAFE.getLong(address));
    }

    @Test
    void memory_hasAllAddresses() {
        UNSAFE.putLong(address, 42);
        long there = UNSAFE.getLong(address);
        long here = MEMORY.get(LONG, address);
        assertThat(here).isEqualTo(there).isEqualTo(42);
    }
}
