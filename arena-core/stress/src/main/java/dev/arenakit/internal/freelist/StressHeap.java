package dev.arenakit.internal.freelist;

/// The heaps of the stress tests.
final class StressHeap {
    private StressHeap() {}

    /// A heap that no thread owns.
    @SuppressWarnings("NullAway") // There is memory for it.
    static SlabHeap heap(SlabBlocks blocks) {
        SlabHeap heap = blocks.prepareHeap();
        blocks.space.useRecords();
        return heap;
    }
}
