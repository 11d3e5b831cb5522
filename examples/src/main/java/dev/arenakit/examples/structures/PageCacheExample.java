package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.LruMap;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Reads pages of a file in a random order in which some pages are frequent, through a cache outside the heap.
final class PageCacheExample {
    private static final int PAGE = 4_096;
    private static final int READS = 100_000;
    private static final long CACHE = 4 << 20;

    private PageCacheExample() {}

    /// Reads and prints.
    ///
    /// @param args the file
    public static void main(String[] args) throws IOException {
        run(Path.of(args[0]), System.out);
    }

    static void run(Path file, PrintStream out) throws IOException {
        Random random = new Random(1);
        long sum = 0;
        long misses = 0;
        try (FileChannel channel = FileChannel.open(file);
                LruMap pages = LruMap.owning(MallocArena::ofConfined, CACHE)) {
            long count = channel.size() / PAGE;
            LruMap.Value page = pages.newValue();
            byte[] bytes = new byte[PAGE];
            for (int i = 0; i < READS; i++) {
                long number = (long) (count * Math.pow(random.nextDouble(), 3));
                if (!pages.find(number, page)) {
                    misses++;
                    read(channel, number, bytes);
                    pages.put(number, bytes);
                    pages.find(number, page);
                }
                sum += page.bytes().get(JAVA_BYTE, page.offset());
            }
            out.println(READS + " reads of " + count + " pages, " + misses + " from the file; "
                    + pages.size() + " pages in the cache, " + pages.evictions() + " evicted; sum " + sum);
        }
    }

    private static void read(FileChannel channel, long number, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, number * PAGE + buffer.position()) < 0) {
                Arrays.fill(bytes, buffer.position(), PAGE, (byte) 0);
                return;
            }
        }
    }
}
