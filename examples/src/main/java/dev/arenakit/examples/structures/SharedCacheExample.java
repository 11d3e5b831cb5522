package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.concurrent.ConcurrentLruMap;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/// Reads the same pages of a file by several virtual threads, through a cache outside the heap. Each page is read once.
final class SharedCacheExample {
    private static final int PAGE = 4_096;
    private static final int READERS = 8;

    private SharedCacheExample() {}

    /// Reads and prints.
    ///
    /// @param args the file
    public static void main(String[] args) throws IOException {
        run(Path.of(args[0]), System.out);
    }

    static void run(Path file, PrintStream out) throws IOException {
        LongAdder sum = new LongAdder();
        LongAdder reads = new LongAdder();
        try (FileChannel channel = FileChannel.open(file);
                ConcurrentLruMap pages = ConcurrentLruMap.builder(16 << 20)
                        .expireAfterWrite(Duration.ofHours(1))
                        .owning(MallocArena::ofShared)) {
            long count = channel.size() / PAGE;
            try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int reader = 0; reader < READERS; reader++) {
                    readers.execute(() -> {
                        for (long number = 0; number < count; number++) {
                            long page = number;
                            sum.add(pages.getOrLoad(page, () -> {
                                reads.increment();
                                return read(channel, page);
                            })[0]);
                        }
                    });
                }
            }
            out.println(READERS + " threads, " + count + " pages, " + reads + " read from the file; "
                    + pages.stats().size() + " pages in the cache; sum " + sum);
        }
    }

    private static byte[] read(FileChannel channel, long number) {
        ByteBuffer buffer = ByteBuffer.allocate(PAGE);
        try {
            while (buffer.hasRemaining() && channel.read(buffer, number * PAGE + buffer.position()) >= 0) {
                // A read may return fewer bytes than there are.
            }
            return buffer.array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
