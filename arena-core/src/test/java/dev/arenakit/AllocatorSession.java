package dev.arenakit;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A session with every kind of request to an allocator, and the main class of a JVM that loads an allocator library.
final class AllocatorSession {
    /// Prints `served`, or the error.
    ///
    /// @param args the name of the allocator, and the path of its library
    public static void main(String[] args) {
        try {
            Path path = Path.of(args[1]);
            run(args[0].equals("mimalloc") ? NativeAllocator.mimalloc(path) : NativeAllocator.jemalloc(path));
            System.out.println("served");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }

    /// Allocates, resizes and frees blocks of many sizes and alignments, and fails if one is not as requested.
    static void run(NativeAllocator allocator) {
        for (MallocKind kind : MallocKind.values()) {
            try (MallocArena arena = kind.open(allocator)) {
                List<MemorySegment> live = new ArrayList<>();
                for (long byteAlignment = 1; byteAlignment <= 65_536; byteAlignment *= 4) {
                    for (long byteSize : new long[]{0, 1, 8, 24, 100, 5_000, 65_536, 65_537, 3 << 20}) {
                        live.add(checked(arena.allocate(byteSize, byteAlignment), byteSize, byteAlignment));
                        live.add(checked(arena.allocateZeroed(byteSize, byteAlignment), byteSize, byteAlignment));
                    }
                }
                for (int i = 0; i < live.size(); i += 2) {
                    arena.free(live.get(i));
                    MemorySegment moved = arena.reallocate(live.get(i + 1), 200);
                    MemorySegment preserved = moved.asSlice(0, Math.min(200, live.get(i + 1).byteSize()));
                    check(Bytes.allAre(preserved, (byte) 0), moved, 1);
                }
            }
        }
    }

    private static MemorySegment checked(MemorySegment segment, long byteSize, long byteAlignment) {
        check(segment.byteSize() == byteSize, segment, byteAlignment);
        check(segment.address() != 0 && segment.address() % byteAlignment == 0, segment, byteAlignment);
        if (byteSize > 0) {
            segment.asSlice(byteSize - 1).fill((byte) 0);
        }
        return segment;
    }

    private static void check(boolean right, MemorySegment segment, long byteAlignment) {
        if (!right) {
            throw new AssertionError(
                    "A block is not as requested: byteAlignment=" + byteAlignment + ", " + segment);
        }
    }
}
