package dev.arenakit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares the table with a map. The addresses are fictitious, because the table never accesses their memory.
class BlockTableTest {
    private static final long SIZE_AND_ALIGNMENT = BlockTable.sizeAndAlignment(100, 8);
    private static final long FOUR_KIB = 4096;

    private final CountingAllocator counting = new CountingAllocator();
    private final NativeAllocator allocator = counting.allocator();
    private final BlockTable table = new BlockTable();
    private final Map<Long, Long> model = new HashMap<>();

    @AfterEach
    void emptyTable_freed_holdsNothing() {
        for (long address : List.copyOf(model.keySet())) {
            remove(address);
        }
        table.freeAll(allocator);
        counting.assertNothingHeld();
    }

    @Test
    void sizeAndAlignment_anyValues_areBothRestored() {
        for (int size = 0; size <= 47; size++) {
            for (int alignment = 0; alignment <= 62; alignment++) {
                for (long byteSize : new long[]{(1L << size) - 1, 1L << size}) {
                    long sizeAndAlignment = BlockTable.sizeAndAlignment(byteSize, 1L << alignment);
                    assertThat(BlockTable.byteSize(sizeAndAlignment)).isEqualTo(byteSize);
                    assertThat(BlockTable.byteAlignment(sizeAndAlignment)).isEqualTo(1L << alignment);
                }
            }
        }
    }

    @Test
    void find_emptyTable_isNoneAndTakesNoMemory() {
        assertThat(table.find(allocator, 0x1000)).isEqualTo(BlockTable.NONE);
        assertThat(counting.blocks()).isZero();
    }

    @Test
    void add_neverSearched_isALogOfSixteenBytesABlock() {
        add(0x1000, SIZE_AND_ALIGNMENT);
        assertThat(table.arrayByteSize()).as("the first block is in fields").isZero();
        for (int i = 2; i <= 10_000; i++) {
            add(0x1000L * i, SIZE_AND_ALIGNMENT);
            assertThat(table.arrayByteSize()).isLessThanOrEqualTo(Math.max(256, 2 * 16L * i));
        }
        assertThat(table.count()).isEqualTo(10_000);
        assertAgrees();
    }

    /// The first search turns the log into an index. The lengths of the log go up to its second growth.
    @Test
    void find_firstCallAfterAnyNumberOfBlocks_findsAllOfThem() {
        for (int count = 1; count <= 40; count++) {
            BlockTable fresh = new BlockTable();
            for (int i = 1; i <= count; i++) {
                fresh.add(allocator, 16L * i, BlockTable.sizeAndAlignment(i, 8));
            }
            for (int i = 1; i <= count; i++) {
                long position = fresh.find(allocator, 16L * i);
                assertThat(position).isNotEqualTo(BlockTable.NONE);
                assertThat(BlockTable.byteSize(fresh.sizeAndAlignmentAt(position))).isEqualTo(i);
            }
            assertThat(fresh.find(allocator, 8)).isEqualTo(BlockTable.NONE);
            for (int i = 1; i <= count; i++) {
                fresh.remove(allocator, fresh.find(allocator, 16L * i));
            }
            fresh.freeAll(allocator);
            counting.assertNothingHeld();
        }
    }

    @Test
    void anyOperations_addressesAsMallocGivesThem_agreeWithAMap() {
        Random random = new Random(1);
        runAgainstModel(random, 60_000, 2_000, () -> 0x7F00_0000_0000L + 16L * random.nextInt(100_000));
    }

    @Test
    void anyOperations_addressesThatCollide_agreeWithAMap() {
        List<Long> colliding = colliding(new Random(2), 64, 400);
        Random random = new Random(3);
        // With so few blocks the table usually has 64 slots, and all addresses hash to its last three slots or its
        // first.
        runAgainstModel(random, 60_000, 40, () -> colliding.get(random.nextInt(colliding.size())));
    }

    @Test
    void anyOperations_addressesOfAllBits_agreeWithAMap() {
        Random random = new Random(4);
        runAgainstModel(random, 20_000, 300, () -> random.nextLong() | 1);
    }

    @Test
    void replace_anyBlock_leavesCountAndMemory() {
        List<Long> colliding = colliding(new Random(5), 16, 24);
        for (long address : colliding.subList(0, 12)) {
            add(address, SIZE_AND_ALIGNMENT);
        }
        assertThat(find(colliding.getFirst())).isNotEqualTo(BlockTable.NONE);
        long held = table.arrayByteSize();
        for (int i = 0; i < 12; i++) {
            replace(colliding.get(i), colliding.get(12 + i), BlockTable.sizeAndAlignment(i, 16));
            assertAgrees();
        }
        replace(colliding.get(12), colliding.get(12), BlockTable.sizeAndAlignment(1_000, 16));
        assertAgrees();
        assertThat(table.count()).isEqualTo(12);
        assertThat(table.arrayByteSize()).isEqualTo(held);
    }

    @Test
    void freeAll_logOrIndex_freesEachBlockOnce() {
        for (int count : new int[]{0, 1, 2, 17, 18, 1_000}) {
            for (boolean indexed : new boolean[]{false, true}) {
                BlockTable fresh = new BlockTable();
                for (int i = 0; i < count; i++) {
                    fresh.add(allocator, allocator.allocate(10 + i, 8), BlockTable.sizeAndAlignment(10 + i, 8));
                }
                if (indexed) {
                    assertThat(fresh.find(allocator, 1)).isEqualTo(BlockTable.NONE);
                }
                fresh.freeAll(allocator);
                counting.assertNothingHeld();
                fresh.freeAll(allocator);
                assertThat(fresh.count()).isZero();
                assertThat(fresh.arrayByteSize()).isZero();
                assertThat(fresh.find(allocator, 0x1000)).isEqualTo(BlockTable.NONE);
                counting.assertNothingHeld();
            }
        }
    }

    @Test
    void add_whenTheLogCannotGrow_addsNothing() {
        for (int i = 1; i <= 17; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        assertAddFailsAndLeavesAll(16 * 18);
    }

    @Test
    void add_whenTheIndexCannotGrow_addsNothing() {
        for (int i = 1; i <= 12; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        // 12 blocks need 24 slots and get 32, which hold 24 blocks.
        assertThat(find(16)).isNotEqualTo(BlockTable.NONE);
        for (int i = 13; i <= 24; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        assertAddFailsAndLeavesAll(16 * 25);
    }

    private void assertAddFailsAndLeavesAll(long address) {
        long held = counting.bytes();
        counting.refuseAfter(0);
        assertThatThrownBy(() -> table.add(allocator, address, SIZE_AND_ALIGNMENT))
                .isInstanceOf(OutOfMemoryError.class);
        counting.refuseNothing();
        assertThat(counting.bytes()).isEqualTo(held);
        assertThat(table.count()).isEqualTo(model.size());
        add(address, SIZE_AND_ALIGNMENT);
        assertAgrees();
    }

    @Test
    void find_whenTheIndexCannotBeBuilt_leavesTheLog() {
        for (int i = 1; i <= 100; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        long held = counting.bytes();
        counting.refuseAfter(0);
        assertThatThrownBy(() -> table.find(allocator, 16)).isInstanceOf(OutOfMemoryError.class);
        counting.refuseNothing();
        assertThat(counting.bytes()).isEqualTo(held);
        add(0x1000, SIZE_AND_ALIGNMENT);
        assertAgrees();
    }

    @Test
    void remove_whenTheIndexCannotShrink_stillRemoves() {
        for (int i = 1; i <= 100; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        assertThat(find(16)).isNotEqualTo(BlockTable.NONE);
        long held = table.arrayByteSize();
        counting.refuseAfter(0);
        for (int i = 1; i <= 95; i++) {
            remove(16L * i);
        }
        assertThat(table.arrayByteSize()).isEqualTo(held);
        assertAgrees();
        counting.refuseNothing();
        remove(16L * 96);
        assertThat(table.arrayByteSize()).as("shrinks as soon as possible").isLessThan(held);
        assertAgrees();
    }

    @Test
    void arrayByteSize_tenLiveOverAMillionPairs_staysBelowFourKiB() {
        assertBoundedOver(1_000_000);
    }

    @Test
    @Tag("slow")
    void arrayByteSize_tenLiveOverAHundredMillionPairs_staysBelowFourKiB() {
        assertBoundedOver(100_000_000);
    }

    private void assertBoundedOver(int pairs) {
        NativeAllocator libc = NativeAllocator.libc();
        long[] live = new long[10];
        long largest = 0;
        for (int i = 0; i < pairs; i++) {
            int oldest = i % live.length;
            if (i >= live.length) {
                table.remove(libc, table.find(libc, live[oldest]));
                libc.free(live[oldest], 100);
            }
            live[oldest] = libc.allocate(100, 8);
            table.add(libc, live[oldest], SIZE_AND_ALIGNMENT);
            largest = Math.max(largest, table.arrayByteSize());
        }
        assertThat(table.count()).isEqualTo(live.length);
        assertThat(largest).isBetween(1L, FOUR_KIB);
        table.freeAll(libc);
    }

    private interface Addresses {
        long next();
    }

    /// Runs random operations, so that the number of live blocks grows and shrinks repeatedly.
    private void runAgainstModel(Random random, int operations, int most, Addresses addresses) {
        List<Long> live = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            boolean growing = i / (2 * most) % 2 == 0;
            long address = addresses.next();
            long sizeAndAlignment = BlockTable.sizeAndAlignment(random.nextLong(1L << 47), 1L << random.nextInt(47));
            int choice = random.nextInt(10);
            if (choice < (growing ? 6 : 2)) {
                if (!model.containsKey(address) && live.size() < most) {
                    add(address, sizeAndAlignment);
                    live.add(address);
                }
            } else if (choice < 7) {
                if (!live.isEmpty()) {
                    remove(takeAny(live, random));
                }
            } else if (choice < 8) {
                if (!live.isEmpty() && !model.containsKey(address)) {
                    replace(takeAny(live, random), address, sizeAndAlignment);
                    live.add(address);
                }
            } else {
                assertAgrees(address);
            }
            if (i % 1_000 == 0) {
                assertAgrees();
                assertThat(table.arrayByteSize()).as("memory for %s blocks", live.size())
                        .isLessThanOrEqualTo(Math.max(256, 8 * 16L * live.size()));
            }
        }
        assertAgrees();
    }

    private static long takeAny(List<Long> live, Random random) {
        int index = random.nextInt(live.size());
        long address = live.get(index);
        live.set(index, live.getLast());
        live.removeLast();
        return address;
    }

    private void add(long address, long sizeAndAlignment) {
        table.add(allocator, address, sizeAndAlignment);
        model.put(address, sizeAndAlignment);
    }

    private void remove(long address) {
        table.remove(allocator, find(address));
        model.remove(address);
    }

    private void replace(long address, long newAddress, long newSizeAndAlignment) {
        table.replace(find(address), newAddress, newSizeAndAlignment);
        model.remove(address);
        model.put(newAddress, newSizeAndAlignment);
    }

    private long find(long address) {
        return table.find(allocator, address);
    }

    private void assertAgrees() {
        assertThat(table.count()).isEqualTo(model.size());
        model.keySet().forEach(this::assertAgrees);
        assertThat(counting.bytes()).as("the array that the table reports").isEqualTo(table.arrayByteSize());
    }

    private void assertAgrees(long address) {
        long position = find(address);
        Long sizeAndAlignment = position == BlockTable.NONE ? null : Long.valueOf(table.sizeAndAlignmentAt(position));
        assertThat(sizeAndAlignment).as("0x%x", address).isEqualTo(model.get(address));
    }

    /// Addresses that hash to the last three slots and the first slot of a table of this capacity.
    private static List<Long> colliding(Random random, long capacity, int count) {
        List<Long> addresses = new ArrayList<>();
        while (addresses.size() < count) {
            long address = 16L * random.nextInt(1, 1 << 28);
            if (((BlockTable.homeSlot(address, capacity) + 3) & (capacity - 1)) < 4 && !addresses.contains(address)) {
                addresses.add(address);
            }
        }
        return addresses;
    }
}
