package dev.arenakit.bench;

import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.LongMapPeer;
import dev.arenakit.bench.candidate.LongMapPeers;
import dev.arenakit.bench.report.TextTable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/// Measures the memory that each map takes for an entry: the live objects on the heap, plus the growth of the resident
/// size. The heap does not change the resident size, because the whole heap is resident from the start.
///
/// Each candidate has a process of its own.
final class StructuresFootprint {
    private static final int WARMUPS = 100;
    private static final List<String> JVM_ARGS = List.of(JvmArgs.NATIVE_ACCESS, JvmArgs.NO_CHRONICLE_ANALYTICS,
            JvmArgs.OPEN_UNSAFE, "-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC");

    private StructuresFootprint() {}

    /// Prints a table, or measures one candidate in this process.
    ///
    /// @param args the number of entries, and the name of a candidate in a process that measures
    public static void main(String[] args) throws IOException, InterruptedException {
        int entries = Integer.parseInt(args[0]);
        if (args.length > 1) {
            System.out.println(measure(LongMapPeers.valueOf(args[1]), entries));
            return;
        }
        TextTable table = new TextTable("map", ">bytes an entry");
        for (LongMapPeers peer : LongMapPeers.values()) {
            table.add(peer.toString(), inProcess(peer, entries));
        }
        System.out.print(table);
    }

    private static String inProcess(LongMapPeers peer, int entries) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_ARGS);
        command.addAll(JvmArgs.CHRONICLE);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StructuresFootprint.class.getName(),
                Integer.toString(entries), peer.name()));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? printed.lines().toList().getLast() : "failed";
    }

    private static String measure(LongMapPeers peer, int entries) throws IOException {
        // Small maps run first, so that the figure includes neither classes nor the compiler, nor memory that malloc
        // retains from larger tables.
        for (int i = 0; i < WARMUPS; i++) {
            fill(peer, entries / WARMUPS).close();
        }
        long heapBefore = heapByteSize();
        long residentBefore = MemoryProfiler.residentByteSize();
        try (LongMapPeer map = fill(peer, entries)) {
            long byteSize = heapByteSize() - heapBefore + MemoryProfiler.residentByteSize() - residentBefore;
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
}
