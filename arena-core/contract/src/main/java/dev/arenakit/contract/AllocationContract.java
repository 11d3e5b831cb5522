package dev.arenakit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static dev.arenakit.contract.ContractSizes.KIB;
import static dev.arenakit.contract.ContractSizes.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The size, alignment and address of an allocation.
interface AllocationContract extends ArenaUnderTest {

    @Test
    default void allocate_anySize_isExact() {
        try (Arena arena = open()) {
            for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                MemorySegment segment = arena.allocate(byteSize, 1);
                assertThat(segment.byteSize()).isEqualTo(byteSize);
                assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, byteSize))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @Test
    default void allocate_anySize_isNativeMemoryThatCanBeWritten() {
        try (Arena arena = open()) {
            for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                MemorySegment segment = arena.allocate(byteSize, 1);
                assertThat(segment.isNative()).isTrue();
                assertThat(segment.isReadOnly()).isFalse();
                assertThat(segment.address()).isPositive();
                segment.set(ValueLayout.JAVA_BYTE, byteSize - 1, (byte) 42);
                assertThat(segment.get(ValueLayout.JAVA_BYTE, byteSize - 1)).isEqualTo((byte) 42);
            }
        }
    }

    @Test
    default void allocate_everyAlignment_isAligned() {
        try (Arena arena = open()) {
            for (long byteAlignment : ContractSizes.alignments(capabilities())) {
                for (long byteSize : new long[]{1, 24, 5_000}) {
                    MemorySegment segment = arena.allocate(byteSize, byteAlignment);
                    assertThat(segment.address() & (byteAlignment - 1))
                            .as("%s for byteAlignment=%d", segment, byteAlignment)
                            .isZero();
                    assertThat(segment.byteSize()).isEqualTo(byteSize);
                }
            }
        }
    }

    @Test
    default void allocate_manySmallBlocks_neverOverlap() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (int i = 0; i < capabilities().allocations(); i++) {
                live.add(arena.allocate(1 + i % 300, 1));
            }
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void allocate_randomSizesAndAlignments_neverOverlap() {
        Random random = new Random(20_260_101);
        long[] alignments = ContractSizes.alignments(capabilities());
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (int i = 0; i < capabilities().allocations() / 10; i++) {
                // Sizes are distributed by magnitude: as many are below 64 bytes as above 64 KiB.
                long byteSize = random.nextLong(1L << (1 + random.nextInt(18)));
                long byteAlignment = alignments[random.nextInt(alignments.length)];
                MemorySegment segment = live.add(arena.allocate(byteSize, byteAlignment));
                assertThat(segment.byteSize()).isEqualTo(byteSize);
                assertThat(segment.address() % byteAlignment).isZero();
            }
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void allocate_largeAndSmallInTurn_neverOverlap() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            for (long large : new long[]{16 * KIB, 64 * KIB, 64 * KIB + 1, 100_001, MIB, 3 * MIB + 5}) {
                live.add(arena.allocate(large, 8));
                live.add(arena.allocate(40, 8));
                live.add(arena.allocate(large - 1, 1));
            }
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void allocate_inArenasOpenAtTheSameTime_neverOverlaps() {
        open().close();
        dirty();
        try (Arena first = open(); Arena second = open()) {
            LiveSegments live = new LiveSegments();
            for (long byteSize : ContractSizes.OF_EVERY_CLASS) {
                live.add(first.allocate(byteSize, 1));
                live.add(second.allocate(byteSize, 1));
            }
            live.assertDisjointAndIntact();
        }
    }

    @Test
    default void allocate_sizeZero_isAnAlignedAddressWithoutBytes() {
        try (Arena arena = open()) {
            for (long byteAlignment : ContractSizes.alignments(capabilities())) {
                MemorySegment segment = arena.allocate(0, byteAlignment);
                assertThat(segment.byteSize()).isZero();
                assertThat(segment.isNative()).isTrue();
                assertThat(segment.address()).isNotZero();
                assertThat(segment.address() & (byteAlignment - 1)).isZero();
            }
        }
    }

    @Test
    default void allocate_sizeZeroAmongOthers_neverPointsInsideThem() {
        try (Arena arena = open()) {
            LiveSegments live = new LiveSegments();
            live.add(arena.allocate(0, 1));
            for (long byteAlignment : ContractSizes.alignments(capabilities())) {
                live.add(arena.allocate(0, byteAlignment));
                live.add(arena.allocate(0, byteAlignment));
                live.add(arena.allocate(1, 1));
                live.add(arena.allocate(0, byteAlignment));
                live.add(arena.allocate(3_000, 8));
                live.add(arena.allocate(0, 1));
                live.add(arena.allocate(100_000, 8));
            }
            live.assertDisjointAndIntact();
        }
    }
}
