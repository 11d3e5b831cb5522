package dev.arenakit;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Fills an arena for all threads, which keeps its ranges, and frees most of its blocks.
final class FreeListArenaPagesSession {
    private static final long MIB = 1 << 20;

    private FreeListArenaPagesSession() {}

    public static void main(String[] args) throws IOException {
        for (long byteSize : new long[]{1_000, 60_000}) {
            try (FreeListArena arena = FreeListArena.ofShared()) {
                long before = residentByteSize();
                List<MemorySegment> blocks = new ArrayList<>();
                for (long i = 0; i < 64 * MIB / byteSize; i++) {
                    blocks.add(arena.allocate(byteSize).fill((byte) 1));
                }
                if (residentByteSize() - before < 60 * MIB) {
                    throw new AssertionError("No page was touched");
                }
                MemorySegment kept = blocks.removeFirst();
                blocks.forEach(arena::free);
                blocks.clear();
                long held = residentByteSize() - before;
                // 4 MiB of free slabs, the tables of 64 MiB, and what the JVM itself takes.
                if (held > 16 * MIB) {
                    throw new AssertionError("Pages are held: byteSize=" + byteSize + ", held=" + held);
                }
                if (!Bytes.allAre(kept, (byte) 1)) {
                    throw new AssertionError("Pages of a live block were given back");
                }
            }
        }
        System.out.println("given back");
    }

    private static long residentByteSize() throws IOException {
        String[] pages = Files.readString(Path.of("/proc/self/statm")).split(" ");
        return Long.parseLong(pages[1]) * 4096;
    }
}
