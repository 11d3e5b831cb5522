package dev.arenakit.bench;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.peer.LongMapPeer;
import dev.arenakit.bench.candidate.peer.LongMapPeers;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/// Measures the memory that a map takes for an entry: the live objects on the heap, plus the growth of the resident
/// size. The heap must be resident from the start, so that it does not change the resident size:
///
/// ```
/// java -Xms1g -Xmx1g -XX:+AlwaysPreTouch -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED \
///     -cp bench/target/benchmarks.jar dev.arenakit.bench.StructuresFootprint 1000000 LONG_LONG_MAP
/// ```
///
/// Chronicle Map also needs the arguments of [JvmArgs#CHRONICLE], and Agrona the argument [JvmArgs#OPEN_UNSAFE].
final class StructuresFootprint {
    private static final int WARMUPS = 100;

    private StructuresFootprint() {}

    /// Prints the bytes of an entry.
    ///
    /// @param args the number of entries, and the name of a candidate
    public static void main(String[] args) throws IOException {
        System.out.println(measure(LongMapPeers.valueOf(args[1]), Integer.parseInt(args[0])));
    }

    private static String measure(LongMapPeers peer, int entries) throws IOException {
        // Small maps run first, so that the figure includes neither classes nor the compiler, nor memory that malloc
        // retains from larger tables.
        for (int i = 0; i < WARMUPS; i++) {
            fill(peer, entries / WARMUPS).close();
        }
        long heapBefore = heapByteSize();
        long residentBefore = residentByteSize();
        try (LongMapPeer map = fill(peer, entries)) {
            long byteSize = heapByteSize() - heapBefore + residentByteSize() - residentBefore;
            if (map.sum() == 0) {
                throw new IllegalStateException("No values");
            }
            return String.format(Locale.ROOT, "%.1f", byteSize / (double) entries);
        }
    }

    private static LongMapPeer fill(LongMapPeers peer, int entries) {
        LongMapPeer map = peer.open(entries);
        Random random = new Random(1);
        for (int i = 0; i < entries; i++) {
            map.put(random.nextLong(), i);
        }
        return map;
    }

    private static long heapByteSize() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /// Returns the resident size. Unlike the value in `status`, it is exact.
    private static long residentByteSize() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/smaps_rollup"))) {
            return 1024 * lines.filter(line -> line.startsWith("Rss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        }
    }
}
