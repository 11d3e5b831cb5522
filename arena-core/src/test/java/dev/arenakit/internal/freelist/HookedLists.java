package dev.arenakit.internal.freelist;

import dev.arenakit.internal.AllocatorFunctions;
import dev.arenakit.internal.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;

import static dev.arenakit.internal.freelist.SizeClasses.SLAB_SHIFT;

/// Free lists of some slabs, without memory for blocks, that run an action before they look whether a block is live.
final class HookedLists extends FreeLists {
    private final int slabs;
    private final MemorySegment tables;
    volatile Runnable beforeLive = () -> {};

    HookedLists(Arena arena, int slabs, boolean atomic) {
        this(arena, slabs, atomic, AllocatorFunctions.ofPools());
    }

    /// @param allocator the allocator of the stacks
    HookedLists(Arena arena, int slabs, boolean atomic, AllocatorFunctions allocator) {
        super(new FreeSlabs(0), arena.allocate(8), RangeProvider.ofCollected(allocator), true, atomic);
        this.slabs = slabs;
        tables = arena.allocate((slabs + 1) * (LIVE_BYTES_PER_SLAB + 2L), 8);
        runs.prepare(slabs + 1);
        runs.add(1, slabs);
    }

    /// Whether a thread keeps all others from using their stacks.
    boolean isSuspended() {
        return threads().isSuspended();
    }

    /// The number of free blocks of a class on the stacks of threads.
    int countOnStacks(int sizeClass) {
        int[] count = new int[1];
        threads().forEach(stacks -> count[0] += stacks.count(sizeClass));
        return count[0];
    }

    private StackTable threads() {
        return (StackTable) valueOf(FreeLists.class, "threads", this);
    }

    /// The lock of the slow paths.
    Object lock() {
        return valueOf(FreeListSlowPaths.class, "lock", valueOf(FreeLists.class, "locked", this));
    }

    private static Object valueOf(Class<?> type, String name, Object object) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("No such field", e);
        }
    }

    @Override
    boolean contains(long block) {
        return block >= 0 && block >>> SLAB_SHIFT <= slabs;
    }

    @Override
    long lowBits(long block) {
        return block;
    }

    @Override
    long liveAddress(long block) {
        beforeLive.run();
        return (tables.address() + (block >>> GRANULE_SHIFT)) & Memory.ADDRESS_BITS;
    }

    @Override
    long kindAddress(long block) {
        return tables.address() + (slabs + 1L) * LIVE_BYTES_PER_SLAB + (block >>> SLAB_SHIFT);
    }

    @Override
    long alignmentAddress(long block) {
        return kindAddress(block) + slabs + 1;
    }

    @Override
    long startOf(int slab) {
        return (long) slab << SLAB_SHIFT;
    }

    @Override
    int numberOf(long block) {
        return (int) (block >>> SLAB_SHIFT);
    }

    @Override
    boolean grow(long slabs, long slabAlignment) {
        return false;
    }

    @Override
    void released(int slab) {}

    @Override
    long heldByteSize() {
        return 0;
    }

    @Override
    RuntimeException exhausted(long byteSize, long byteAlignment) {
        return new IllegalStateException("full");
    }

    @Override
    void freeAll() {}
}
