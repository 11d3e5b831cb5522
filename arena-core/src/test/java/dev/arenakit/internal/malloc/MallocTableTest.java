package dev.arenakit.internal.malloc;

import dev.arenakit.CountingAllocator;
import dev.arenakit.internal.AllocatorFunctions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// Compares the table with a map. The addresses are fictitious, because the table never accesses their memory.
class MallocTableTest {
    private static final long SIZE_AND_ALIGNMENT = MallocHeader.sizeAndAlignment(100, 8);

    private final CountingAllocator counting = new CountingAllocator();
    private final AllocatorFunctions allocator = counting.functions();
    private final MallocTable table = new MallocTable();
    private final Map<Long, Long> model = new HashMap<>();

    @AfterEach
    void emptyTable_freed_holdsNothing() {
        for (long address : List.copyOf(model.keySet())) {
            remove(address);
        }
        table.freeAll(allocator);
        counting.assertNothingHeld();
    }

    private void addAll(MallocTable blocks, long newest) {
        for (long address = newest; address != 0; address = MallocHeader.previous(address)) {
            blocks.add(allocator, address, MallocHeader.sizeAndAlignment(address));
        }
    }

    /// Allocates blocks as an arena does, and returns the newest. Every third is aligned.
    private long list(int count) {
        long newest = 0;
        for (int i = 0; i < count; i++) {
            long byteAlignment = i % 3 == 0 ? 64 : 8;
            long address = MallocHeader.allocate(allocator, MallocHeader.sizeAndAlignment(10 + i, byteAlignment),
                    false);
            MallocHeader.link(address, newest, MallocHeader.sizeAndAlignment(10 + i, byteAlignment));
            newest = address;
        }
        return newest;
    }

    @Test
    void anyOperations_addressesThatCollide_agreeWithAMap() {
        List<Long> colliding = colliding(new Random(2), 64, 400);
        Random random = new Random(3);
        // With so few blocks the table usually has 64 slots, and all addresses hash to its last three slots or its
        // first.
        runAgainstModel(random, 60_000, 40, () -> colliding.get(random.nextInt(colliding.size())));
    }

    /// A position outside of memory interrupts the change, as an overflow of the stack does.
    @Test
    void remove_whenItIsInterrupted_makesLaterCallsThrowAndLosesNoBlock() {
        MallocTable interrupted = new MallocTable();
        long newest = list(20);
        addAll(interrupted, newest);
        assertThatThrownBy(() -> interrupted.remove(allocator, -1L << 58))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatIllegalStateException().isThrownBy(() -> interrupted.find(newest))
                .withMessageContaining("interrupted");
        assertThatIllegalStateException().isThrownBy(() -> interrupted.add(allocator, 0x2000, SIZE_AND_ALIGNMENT));
        interrupted.freeAll(allocator);
        counting.assertNothingHeld();
    }

    @Test
    void remove_whenTheIndexCannotShrink_stillRemoves() {
        for (int i = 1; i <= 100; i++) {
            add(16L * i, SIZE_AND_ALIGNMENT);
        }
        assertThat(find(16)).isNotEqualTo(MallocTable.NONE);
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

    private interface Addresses {
        long next();
    }

    /// Runs random operations, so that the number of live blocks grows and shrinks repeatedly.
    private void runAgainstModel(Random random, int operations, int most, Addresses addresses) {
        List<Long> live = new ArrayList<>();
        for (int i = 0; i < operations; i++) {
            boolean growing = i / (2 * most) % 2 == 0;
            long address = addresses.next();
            long sizeAndAlignment = MallocHeader.sizeAndAlignment(random.nextLong(1L << 48), 1L << random.nextInt(48));
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
        return table.find(address);
    }

    private void assertAgrees() {
        assertThat(table.count()).isEqualTo(model.size());
        model.keySet().forEach(this::assertAgrees);
        assertThat(counting.bytes()).as("the array that the table reports").isEqualTo(table.arrayByteSize());
    }

    private void assertAgrees(long address) {
        long position = find(address);
        Long sizeAndAlignment = position == MallocTable.NONE ? null : Long.valueOf(table.sizeAndAlignmentAt(position));
        assertThat(sizeAndAlignment).as("0x%x", address).isEqualTo(model.get(address));
    }

    /// Addresses that hash to the last three slots and the first slot of a table of this capacity.
    private static List<Long> colliding(Random random, long capacity, int count) {
        List<Long> addresses = new ArrayList<>();
        while (addresses.size() < count) {
            long address = 16L * random.nextInt(1, 1 << 28);
            if (((MallocTable.homeSlot(address, capacity) + 3) & (capacity - 1)) < 4 && !addresses.contains(address)) {
                addresses.add(address);
            }
        }
        return addresses;
    }
}
