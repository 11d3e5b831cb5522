package dev.arenakit.internal.freelist;

import dev.arenakit.OffsetAllocator;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/// The size classes, the shapes of slabs, and the heaps of an [OffsetAllocator].
class SlabHeapTest {
    private static final long MIB = 1 << 20;

    @Test
    void sizeClass_ofEachSize_isSmallestThatFitsAndWastesOneEighthAtMost() {
        for (int i = 1; i < SlabSizeClasses.COUNT; i++) {
            assertThat(SlabSizeClasses.byteSize(i)).isGreaterThan(SlabSizeClasses.byteSize(i - 1));
        }
        for (long size = 1; size <= SlabSizeClasses.LARGEST; size++) {
            int index = SlabSizeClasses.indexOf(size);
            long byteSize = SlabSizeClasses.byteSize(index);
            assertThat(byteSize).isGreaterThanOrEqualTo(size);
            assertThat(index == 0 || SlabSizeClasses.byteSize(index - 1) < size).isTrue();
            if (size > 64) {
                assertThat((byteSize - size) * 8).as("size %d", size).isLessThanOrEqualTo(byteSize);
            }
        }
        for (long alignment = 1; alignment <= SlabSizeClasses.LARGEST; alignment *= 2) {
            for (long size = alignment; size <= SlabSizeClasses.LARGEST; size += alignment) {
                assertThat(SlabSizeClasses.byteSize(SlabSizeClasses.indexOf(size)) % Math.max(8, alignment)).isZero();
            }
        }
    }

    @Test
    void shape_ofEachSizeClass_findsTheBlocksAndTheirNumbers() {
        for (int i = 0; i < SlabSizeClasses.COUNT; i++) {
            long byteSize = SlabSizeClasses.byteSize(i);
            if (byteSize <= 8192) {
                long shape = SlabHeapFormat.shape(byteSize);
                for (long offset = 0; offset < SlabHeapFormat.SLAB_BYTE_SIZE; offset++) {
                    long product = SlabHeapFormat.product(shape, offset);
                    if (SlabHeapFormat.isBlock(shape, product, byteSize) != (offset % byteSize == 0)
                            || SlabHeapFormat.index(product) != offset / byteSize
                            || SlabHeapFormat.isBlock(shape, product, byteSize + 1)) {
                        throw new AssertionError("Wrong block: byteSize=" + byteSize + ", offset=" + offset);
                    }
                }
            }
        }
    }

    @Test
    void freeRaw_ofAnOffsetAfterTheLastBlockOfASlab_throws() {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < SlabSizeClasses.COUNT; i++) {
                long byteSize = SlabSizeClasses.byteSize(i);
                long slab = SlabSizeClasses.slabsOf(byteSize) * SlabHeapFormat.SLAB_BYTE_SIZE;
                OffsetAllocator allocator = OffsetAllocator.over(arena.allocate(2 * MIB));
                long first = allocator.allocateRaw(byteSize);
                List<Long> blocks = new ArrayList<>();
                for (long k = 1; k < slab / byteSize; k++) {
                    blocks.add(allocator.allocateRaw(byteSize));
                }
                long last = first + slab / byteSize * byteSize;
                assertThatIllegalArgumentException().as("byteSize=%d", byteSize)
                        .isThrownBy(() -> allocator.freeRaw(last));
                allocator.freeRaw(first);
                blocks.forEach(allocator::freeRaw);
                assertThatIllegalArgumentException().isThrownBy(() -> allocator.freeRaw(first));
            }
        }
    }

    @Test
    void allocate_ofABlockThatWasReturnedAfterItsOwnerFreedIt_allocatesItOnce() {
        try (Arena arena = Arena.ofShared()) {
            SlabSpace space = new SlabSpace(arena.allocate(MIB), true);
            SlabBlocks all = new SlabBlocks(space, true);
            SlabHeap heap = Objects.requireNonNull(all.prepareHeap());
            char record = SlabSizeClasses.recordOf(SlabSizeClasses.indexOf(8_192));
            List<Long> blocks = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                blocks.add(heap.allocate(record, 1));
            }
            assertThat(heap.free(blocks.get(0), 0)).isTrue();
            assertThat(heap.free(blocks.get(7), 0)).isTrue();
            assertThat(heap.allocate(record, 1)).isEqualTo(blocks.get(0));
            // The last step of another thread that has seen that the block is live.
            long returned = SlabWords.ofBlock(space.descriptorOf(blocks.get(7)), 7) + Long.BYTES;
            SlabHeapFormat.put(returned, SlabWords.bit(7));
            assertThat(heap.allocate(record, 1)).isEqualTo(blocks.get(7));
            for (int i = 0; i < 30; i++) {
                assertThat(blocks).doesNotContain(heap.allocate(record, 1));
            }
        }
    }

    @Test
    void prepareHeap_whoseHeapIsNotUsed_leavesItsRecordsToTheNextOne() {
        try (Arena arena = Arena.ofShared()) {
            SlabSpace space = new SlabSpace(arena.allocate(MIB), true);
            SlabBlocks blocks = new SlabBlocks(space, true);
            // As if there were no memory for the reference to the thread.
            long records = Objects.requireNonNull(blocks.prepareHeap()).records;
            assertThat(Objects.requireNonNull(blocks.prepareHeap()).records).isEqualTo(records);
            space.useRecords();
            assertThat(Objects.requireNonNull(blocks.prepareHeap()).records)
                    .isEqualTo(records + SlabHeapFormat.RECORDS_BYTE_SIZE);
        }
    }
}
