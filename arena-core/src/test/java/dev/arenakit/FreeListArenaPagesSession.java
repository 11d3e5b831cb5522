package dev.arenakit;

import dev.arenakit.internal.PageMappings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Fills arenas, and frees most of their blocks.
final class FreeListArenaPagesSession {
    private static final long MIB = 1 << 20;

    public static void main(String[] args) throws IOException {
        for (long byteSize : new long[]{1_000, 60_000}) {
            try (FreeListArena arena = FreeListArena.ofShared()) {
                fillAndFree(arena, byteSize, 64 * MIB, 64 * MIB);
            }
        }
        // Most ranges are given back, and the others have one block each.
        try (FreeListArena arena = FreeListArena.ofConfined()) {
            fillAndFree(arena, 20_000, 256 * MIB, 8 * MIB);
        }
        System.out.println("given back");
    }

    /// Fills an arena, and frees all but one block of each interval.
    private static void fillAndFree(FreeListArena arena, long byteSize, long total, long interval) throws IOException {
        long before = residentByteSize();
        List<MemorySegment> freed = new ArrayList<>();
        List<MemorySegment> kept = new ArrayList<>();
        for (long i = 0; i < total / byteSize; i++) {
            MemorySegment block = arena.allocate(byteSize).fill((byte) 1);
            (i % (interval / byteSize) == 0 ? kept : freed).add(block);
        }
        if (residentByteSize() - before < total - 4 * MIB) {
            throw new AssertionError("No page was touched");
        }
        freed.forEach(arena::free);
        freed.clear();
        long held = residentByteSize() - before;
        // 4 MiB of free slabs, 8 MiB of slabs with a block, the tables, and what the JVM itself takes.
        if (held > 32 * MIB) {
            throw new AssertionError("Pages are held: byteSize=" + byteSize + ", held=" + held);
        }
        if (!kept.stream().allMatch(block -> Bytes.allAre(block, (byte) 1))) {
            throw new AssertionError("Pages of a live block were given back");
        }
    }

    private static long residentByteSize() throws IOException {
        String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ", -1);
        return Long.parseLong(pages[1]) * PageMappings.pageByteSize();
    }
}
