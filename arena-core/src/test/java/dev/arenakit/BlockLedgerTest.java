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

/// The ledger against a map, for addresses that are made up: it never looks behind one.
class BlockLedgerTest {
    private static final long SHAPE = BlockLedger.shape(100, 8);
    private static final long FOUR_KIB = 4096;

    private final CountingAllocator counting = new CountingAllocator();
    private final NativeAllocator allocator = counting.allocator();
    private final BlockLedger ledger = new BlockLedger();
    private final Map<Long, Long> model = new HashMap<>();

    @AfterEach
    void emptyLedger_freed_holdsNothing() {
        for (long address : List.copyOf(model.keySet())) {
            remove(address);
        }
        ledger.freeAll(allocator);
        counting.assertNothingHeld();
    }

    @Test
    void shape_anySizeAndAlignment_keepsBoth() {
        for (int size = 0; size <= 47; size++) {
            for (int alignment = 0; alignment <= 62; alignment++) {
                for (long byteSize : new long[]{(1L << size) - 1, 1L << size}) {
                    long shape = BlockLedger.shape(byteSize, 1L << alignment);
                    assertThat(BlockLedger.byteSize(shape)).isEqualTo(byteSize);
                    assertThat(BlockLedger.byteAlignment(shape)).isEqualTo(1L << alignment);
                }
            }
        }
    }

    @Test
    void find_emptyLedger_isNoneAndTakesNoMemory() {
        assertThat(ledger.find(allocator, 0x1000)).isEqualTo(BlockLedger.NONE);
        assertThat(counting.blocks()).isZero();
    }

    @Test
    void add_neverSearched_isALogOfSixteenBytesABlock() {
        add(0x1000, SHAPE);
        assertThat(ledger.tableByteSize()).as("the first block stands in fields").isZero();
        for (int i = 2; i <= 10_000; i++) {
            add(0x1000L * i, SHAPE);
            assertThat(ledger.tableByteSize()).isLessThanOrEqualTo(Math.max(256, 2 * 16L * i));
        }
        assertThat(ledger.count()).isEqualTo(10_000);
        assertAgrees();
    }

    /// What the search finds when the log becomes an index, for every length of the log up to its second growth.
    @Test
    void find_firstCallAfterAnyNumberOfBlocks_findsAllOfThem() {
        for (int count = 1; count <= 40; count++) {
            BlockLedger fresh = new BlockLedger();
            for (int i = 1; i <= count; i++) {
                fresh.add(allocator, 16L * i, BlockLedger.shape(i, 8));
            }
            for (int i = 1; i <= count; i++) {
                long position = fresh.find(allocator, 16L * i);
                assertThat(position).isNotEqualTo(BlockLedger.NONE);
                assertThat(BlockLedger.byteSize(fresh.shapeAt(position))).isEqualTo(i);
            }
            assertThat(fresh.find(allocator, 8)).isEqualTo(BlockLedger.NONE);
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
        // So few that the table has 64 slots most of the time: all addresses begin at its last three or its first.
        runAgainstModel(random, 60_000, 40, () -> colliding.get(random.nextInt(colliding.size())));
    }

    @Test
    void anyOperations_addressesOfAllBits_agreeWithAMap() {
        Random random = new Random(4);
        runAgainstModel(random, 20_000, 300, () -> random.nextLong() | 1);
    }

    @Test
    void replace_anyBlock_keepsCountAndMemory() {
        List<Long> colliding = colliding(new Random(5), 16, 24);
        for (long address : colliding.subList(0, 12)) {
            add(address, SHAPE);
        }
        assertThat(find(colliding.getFirst())).isNotEqualTo(BlockLedger.NONE);
        long held = ledger.tableByteSize();
        for (int i = 0; i < 12; i++) {
            replace(colliding.get(i), colliding.get(12 + i), BlockLedger.shape(i, 16));
            assertAgrees();
        }
        replace(colliding.get(12), colliding.get(12), BlockLedger.shape(1_000, 16));
        assertAgrees();
        assertThat(ledger.count()).isEqualTo(12);
        assertThat(ledger.tableByteSize()).isEqualTo(held);
    }

    @Test
    void freeAll_logOrIndex_freesEachBlockOnce() {
        for (int count : new int[]{0, 1, 2, 17, 18, 1_000}) {
            for (boolean indexed : new boolean[]{false, true}) {
                BlockLedger fresh = new BlockLedger();
                for (int i = 0; i < count; i++) {
                    fresh.add(allocator, allocator.allocate(10 + i, 8), BlockLedger.shape(10 + i, 8));
                }
                if (indexed) {
                    assertThat(fresh.find(allocator, 1)).isEqualTo(BlockLedger.NONE);
                }
                fresh.freeAll(allocator);
                counting.assertNothingHeld();
                fresh.freeAll(allocator);
                assertThat(fresh.count()).isZero();
                assertThat(fresh.tableByteSize()).isZero();
                assertThat(fresh.find(allocator, 0x1000)).isEqualTo(BlockLedger.NONE);
                counting.assertNothingHeld();
            }
        }
    }

    @Test
    void add_whenTheLogCannotGrow_entersNothing() {
        for (int i = 1; i <= 17; i++) {
            add(16L * i, SHAPE);
        }
        assertAddFailsAndLeavesAll(16 * 18);
    }

    @Test
    void add_whenTheIndexCannotGrow_entersNothing() {
        for (int i = 1; i <= 12; i++) {
            add(16L * i, SHAPE);
        }
        // 24 slots were asked for, for 12 blocks: 32, which hold 24.
        assertThat(find(16)).isNotEqualTo(BlockLedger.NONE);
        for (int i = 13; i <= 24; i++) {
            add(16L * i, SHAPE);
        }
        assertAddFailsAndLeavesAll(16 * 25);
    }

    private void assertAddFailsAndLeavesAll(long address) {
        long held = counting.bytes();
        counting.refuseAfter(0);
        assertThatThrownBy(() -> ledger.add(allocator, address, SHAPE)).isInstanceOf(OutOfMemoryError.class);
        counting.refuseNothing();
        assertThat(counting.bytes()).isEqualTo(held);
        assertThat(ledger.count()).isEqualTo(model.size());
        add(address, SHAPE);
        assertAgrees();
    }

    @Test
    void find_whenTheIndexCannotBeBuilt_leavesTheLog() {
        for (int i = 1; i <= 100; i++) {
            add(16L * i, SHAPE);
        }
        long held = counting.bytes();
        counting.refuseAfter(0);
        assertThatThrownBy(() -> ledger.find(allocator, 16)).isInstanceOf(OutOfMemoryError.class);
        counting.refuseNothing();
        assertThat(counting.bytes()).isEqualTo(held);
        add(0x1000, SHAPE);
        assertAgrees();
    }

    @Test
    void remove_whenTheIndexCannotShrink_removesAllTheSame() {
        for (int i = 1; i <= 100; i++) {
            add(16L * i, SHAPE);
        }
        assertThat(find(16)).isNotEqualTo(BlockLedger.NONE);
        long held = ledger.tableByteSize();
        counting.refuseAfter(0);
        for (int i = 1; i <= 95; i++) {
            remove(16L * i);
        }
        assertThat(ledger.tableByteSize()).isEqualTo(held);
        assertAgrees();
        counting.refuseNothing();
        remove(16L * 96);
        assertThat(ledger.tableByteSize()).as("shrinks as soon as it can").isLessThan(held);
        assertAgrees();
    }

    @Test
    void tableByteSize_tenLiveOverAMillionPairs_staysBelowFourKiB() {
        assertBoundedOver(1_000_000);
    }

    @Test
    @Tag("slow")
    void tableByteSize_tenLiveOverAHundredMillionPairs_staysBelowFourKiB() {
        assertBoundedOver(100_000_000);
    }

    private void assertBoundedOver(int pairs) {
        NativeAllocator libc = NativeAllocator.libc();
        long[] live = new long[10];
        long largest = 0;
        for (int i = 0; i < pairs; i++) {
            int oldest = i % live.length;
            if (i >= live.length) {
                ledger.remove(libc, ledger.find(libc, live[oldest]));
                libc.free(live[oldest], 100);
            }
            live[oldest] = libc.allocate(100, 8);
            ledger.add(libc, live[oldest], SHAPE);
            largest = Math.max(largest, ledger.tableByteSize());
        }
        assertThat(ledger.count()).isEqualTo(live.length);
        assertThat(largest).isBetween(1L, FOUR_KIB);
        ledger.freeAll(libc);
    }

    private interface Addresses {
        long next();
    }

    /// Grows, shrinks and grows again around a number of live blocks.
    private void runAgainstModel(Random random, int operations, int most, Addresses addresses) {
        List<Long> live = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            boolean growing = i / (2 * most) % 2 == 0;
            long address = addresses.next();
            long shape = BlockLedger.shape(random.nextLong(1L << 47), 1L << random.nextInt(47));
            int choice = random.nextInt(10);
            if (choice < (growing ? 6 : 2)) {
                if (!model.containsKey(address) && live.size() < most) {
                    add(address, shape);
                    live.add(address);
                }
            } else if (choice < 7) {
                if (!live.isEmpty()) {
                    remove(takeAny(live, random));
                }
            } else if (choice < 8) {
                if (!live.isEmpty() && !model.containsKey(address)) {
                    replace(takeAny(live, random), address, shape);
                    live.add(address);
                }
            } else {
                assertAgrees(address);
            }
            if (i % 1_000 == 0) {
                assertAgrees();
                assertThat(ledger.tableByteSize()).as("memory for %s blocks", live.size())
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

    private void add(long address, long shape) {
        ledger.add(allocator, address, shape);
        model.put(address, shape);
    }

    private void remove(long address) {
        ledger.remove(allocator, find(address));
        model.remove(address);
    }

    private void replace(long address, long newAddress, long newShape) {
        ledger.replace(find(address), newAddress, newShape);
        model.remove(address);
        model.put(newAddress, newShape);
    }

    private long find(long address) {
        return ledger.find(allocator, address);
    }

    private void assertAgrees() {
        assertThat(ledger.count()).isEqualTo(model.size());
        model.keySet().forEach(this::assertAgrees);
        assertThat(counting.bytes()).as("what the ledger says that it holds").isEqualTo(ledger.tableByteSize());
    }

    private void assertAgrees(long address) {
        long position = find(address);
        Long shape = position == BlockLedger.NONE ? null : Long.valueOf(ledger.shapeAt(position));
        assertThat(shape).as("0x%x", address).isEqualTo(model.get(address));
    }

    /// Addresses whose places in a table of so many slots are its last three and its first.
    private static List<Long> colliding(Random random, long capacity, int count) {
        List<Long> addresses = new ArrayList<>();
        while (addresses.size() < count) {
            long address = 16L * random.nextInt(1, 1 << 28);
            if (((BlockLedger.home(address, capacity) + 3) & (capacity - 1)) < 4 && !addresses.contains(address)) {
                addresses.add(address);
            }
        }
        return addresses;
    }
}
