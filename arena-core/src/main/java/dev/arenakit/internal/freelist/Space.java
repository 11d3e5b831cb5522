package dev.arenakit.internal.freelist;

/// The memory of an allocator, as slabs with numbers. The lock is held.
interface Space {
    /// The position of a slab.
    long positionOf(int slab);

    /// The number of the slab that a block is in.
    int numberOf(long block);

    /// Adds free slabs to the runs: so many in a row, from an aligned one on.
    ///
    /// @return false if there is no memory left
    boolean grow(long slabs, long slabAlignment);

    /// Gives memory back to where it came from, if it can, after a run has become free.
    void released(int slab);

    /// The size of all memory, used and free; the memory of a segment counts from its first use.
    long heldByteSize();

    /// The exception after [#grow] has returned false.
    RuntimeException full(long byteSize, long byteAlignment);

    /// Frees all memory.
    void close();
}
