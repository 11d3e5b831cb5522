package dev.arenakit.collection.concurrent;

import dev.arenakit.MallocArena;
import dev.arenakit.testing.Threads;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// Four threads fill a cache of 384 MiB many times over, in a small heap. Then a cache is created that the address space
/// cannot contain.
public final class CacheMemorySession {
    private static final long MAX_KIB = 512 << 10;

    private CacheMemorySession() {}

    public static void main(String[] args) throws IOException {
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(384 << 20).owning(MallocArena::ofShared)) {
            Threads.race(4, index -> {
                Random random = new Random(index);
                byte[] value = new byte[16 << 10];
                MemorySegment whole = MemorySegment.ofArray(value);
                for (int i = 0; i < 40_000; i++) {
                    long key = random.nextInt(100_000);
                    if (map.find(key, whole) < 0) {
                        map.put(key, whole.asSlice(0, random.nextInt(value.length)));
                    }
                }
            });
            System.out.println("evictions " + (map.stats().evictions() > 50_000) + ", used "
                    + (map.stats().usedByteSize() > 300 << 20));
        }
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(64L << 30).owning(MallocArena::ofShared)) {
            System.out.println("created " + map);
        } catch (OutOfMemoryError e) {
            System.out.println("refused");
        }
        try (ConcurrentLruMap map = ConcurrentLruMap.builder(1 << 20).owning(MallocArena::ofShared)) {
            System.out.println("then " + map.put(1, new byte[1]));
        }
        long peak = Files.readAllLines(Path.of("/proc/self/status"))
                .stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .sum();
        System.out.println(peak < MAX_KIB ? "within 512 MiB" : "peak of KiB " + peak);
    }
}
