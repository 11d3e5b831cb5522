package dev.arenakit;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/// The allocator of the operating system's pages.
@EnabledOnOs(OS.LINUX)
class NativeAllocatorPagesTest {
    private static final long MIB = 1 << 20;
    private static final long HUGE_PAGE = 2 * MIB;

    private final NativeAllocator pages = NativeAllocator.pages();

    @Test
    void everyOperation_ofEveryKindOfArena_isServed() {
        AllocatorSession.run(pages);
        AllocatorSession.run(NativeAllocator.failing(pages, _ -> false));
    }

    @Test
    void allocate_anySizeAndAlignment_isAlignedAndItsOwn() {
        record Block(long address, long byteSize, long byteAlignment) {}
        List<Block> blocks = new ArrayList<>();
        for (long byteSize : new long[]{0, 1, 5_000, HUGE_PAGE - 1, HUGE_PAGE, HUGE_PAGE + 1, 5 * MIB}) {
            for (long byteAlignment : new long[]{1, 16, 64, 4096, HUGE_PAGE, 4 * HUGE_PAGE}) {
                Block block = new Block(pages.allocate(byteSize, byteAlignment), byteSize, byteAlignment);
                assertThat(block.address % byteAlignment).as("%s", block).isZero();
                blocks.add(block);
                if (byteSize > 0) {
                    MemorySegment memory = memory(block.address, byteSize);
                    memory.asSlice(0, 1).fill((byte) blocks.size());
                    memory.asSlice(byteSize - 1).fill((byte) blocks.size());
                }
            }
        }
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.byteSize > 0) {
                MemorySegment memory = memory(block.address, block.byteSize);
                assertThat(Bytes.allAre(memory.asSlice(0, 1), (byte) (i + 1))).isTrue();
                assertThat(Bytes.allAre(memory.asSlice(block.byteSize - 1), (byte) (i + 1))).isTrue();
            }
            pages.free(block.address, block.byteSize, block.byteAlignment);
        }
    }

    @Test
    void allocate_twoMiBOrMore_isZeroedAndStartsAtAHugePage() {
        for (long byteSize : new long[]{HUGE_PAGE, 3 * MIB + 5}) {
            for (int i = 0; i < 3; i++) {
                long address = pages.allocate(byteSize, 8);
                assertThat(address % HUGE_PAGE).isZero();
                assertThat(Bytes.allAre(memory(address, byteSize), (byte) 0)).isTrue();
                memory(address, byteSize).fill((byte) 1);
                pages.free(address, byteSize, 8);
            }
        }
    }

    @Test
    void allocate_badArguments_areRejected() {
        assertThatThrownBy(() -> pages.allocate(-1, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pages.allocate(8, 3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> pages.allocate(Long.MAX_VALUE, 8)).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void allocate_moreThanTheAddressSpace_namesTheCall() {
        long byteSize = Sizes.ADDRESSABLE - 4096;
        assertThatThrownBy(() -> pages.allocate(byteSize, 8)).isInstanceOf(OutOfMemoryError.class)
                .hasMessageContaining("byteSize=" + byteSize)
                .hasMessageEndingWith("allocator=pages, tried=mmap");
    }

    @ParameterizedTest
    @EnumSource(MallocKind.class)
    void reallocate_acrossTheSmallestMapping_preservesTheBytes(MallocKind kind) {
        try (MallocArena arena = kind.open(pages)) {
            MemorySegment segment = arena.allocate(1_000, 8);
            Bytes.fill(segment, 1);
            for (long byteSize : new long[]{MIB, 3 * MIB, 5 * MIB, HUGE_PAGE - 8, HUGE_PAGE, 1_000}) {
                segment = arena.reallocate(segment, byteSize);
                assertThat(segment.byteSize()).isEqualTo(byteSize);
                assertThat(Bytes.areFilled(segment, 1, 1_000)).isTrue();
                segment.asSlice(byteSize - 1).fill((byte) 9);
                Bytes.fill(segment.asSlice(0, 1_000), 1);
            }
            arena.free(segment);
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment memory(long address, long byteSize) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize);
    }
}
