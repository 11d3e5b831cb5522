package dev.arenakit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A main class that prints how many bytes a trim of a pool reports, by how many the resident size of the process
/// falls, and how many it had grown by for slabs of which only one page each was touched.
final class TrimSession {
    static final int ARENAS = 1_500;

    public static void main(String[] args) throws IOException {
        SlabPool pool = SlabPool.create();
        run(pool, 100);
        pool.trim();
        long start = residentByteSize();
        run(pool, 32);
        long touched = residentByteSize();
        pool.trim();
        run(pool, 60_000);
        long full = residentByteSize();
        long reported = pool.trim();
        System.out.println(reported + " " + (full - residentByteSize()) + " " + (touched - start));
        pool.close();
    }

    private static void run(SlabPool pool, int byteSize) {
        List<SlabArena> arenas = new ArrayList<>();
        for (int i = 0; i < ARENAS; i++) {
            SlabArena arena = pool.openConfined();
            for (int used = 0; used < byteSize; used += 10_000) {
                arena.allocate(Math.min(10_000, byteSize), 1).fill((byte) 1);
            }
            arenas.add(arena);
        }
        arenas.forEach(SlabArena::close);
    }

    private static long residentByteSize() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/smaps_rollup"))
                .stream()
                .filter(line -> line.startsWith("Rss:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                .sum();
    }
}
