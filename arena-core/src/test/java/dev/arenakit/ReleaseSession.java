package dev.arenakit;

import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Arenas and other code exchange blocks of all sizes and alignments: what an arena has allocated is freed by C's
/// `free`, and the arena frees what was allocated elsewhere. A wrong `free` terminates the JVM.
final class ReleaseSession {
    private static final NativeAllocator LIBC = NativeAllocator.libc();
    private static final long[] SIZES = {0, 1, 15, 16, 1_000, 65_519, 65_521, 65_537, 3 << 20};
    private static final long[] ALIGNMENTS = {1, 16, 64, 4096};

    /// Runs all kinds of arenas.
    public static void main(String[] arguments) {
        for (MallocKind kind : MallocKind.values()) {
            releaseAll(kind, LIBC);
        }
        System.out.println("each freed once");
    }

    /// Releases the first block of an arena, a later one, a resized and an adopted one.
    static void releaseAll(MallocKind kind, NativeAllocator allocator) {
        for (long byteSize : SIZES) {
            for (long byteAlignment : ALIGNMENTS) {
                List<MemorySegment> given = new ArrayList<>();
                try (MallocArena arena = kind.open(allocator)) {
                    List<MemorySegment> blocks = new ArrayList<>();
                    blocks.add(arena.allocate(byteSize, byteAlignment));
                    blocks.add(arena.allocateZeroed(byteSize, byteAlignment));
                    blocks.add(arena.reallocate(arena.allocate(8, byteAlignment), byteSize));
                    blocks.add(arena.adopt(Memory.segment(LIBC.allocate(byteSize, byteAlignment), byteSize)));
                    MemorySegment left = arena.allocate(100);
                    for (int i = 0; i < blocks.size(); i++) {
                        Bytes.fill(blocks.get(i), i);
                    }
                    Bytes.fill(left, 100);
                    for (MemorySegment block : blocks) {
                        given.add(arena.release(block));
                    }
                    check(Bytes.areFilled(left, 100, 100), left);
                }
                for (int i = 0; i < given.size(); i++) {
                    MemorySegment block = given.get(i);
                    check(Bytes.areFilled(block, i, block.byteSize()) && block.address() % byteAlignment == 0, block);
                    LIBC.free(block.address(), block.byteSize(), 1);
                }
            }
        }
    }

    private static void check(boolean intact, MemorySegment block) {
        if (!intact) {
            throw new AssertionError(block);
        }
    }
}
