package dev.arenakit.examples.shared;

import dev.arenakit.collection.concurrent.SequenceLock;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.layout.RecordMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/// Writes a quote in a mapped file again and again, while two readers read it by read-only mappings of their own, as
/// other processes do.
public final class SharedQuoteExample {
    private static final RecordMapper<Quote> QUOTES = RecordMapper.of(Quote.class);
    /// The struct follows the word of the lock.
    private static final long QUOTE = Long.BYTES;
    private static final double SPREAD = 0.25;

    private SharedQuoteExample() {}

    record Quote(long number, double bid, double ask) {}

    /// Runs the example.
    ///
    /// @param args the directory in which a directory for the file is created
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        run(System.out, Path.of(args[0]), 1_000_000);
    }

    static void run(PrintStream out, Path temporary, long count)
            throws IOException, InterruptedException, ExecutionException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-quote-");
                ExecutorService readers = Executors.newFixedThreadPool(2);
                Arena arena = Arena.ofConfined()) {
            Path file = created.path().resolve("quote");
            MemorySegment segment = map(file, FileChannel.MapMode.READ_WRITE, arena, CREATE, READ, WRITE);
            Future<Long> one = readers.submit(() -> readUntil(file, count));
            Future<Long> other = readers.submit(() -> readUntil(file, count));
            write(segment, count);
            long mixed = one.get() + other.get();
            if (mixed > 0) {
                throw new IllegalStateException("Quotes were mixed: count=" + mixed);
            }
            out.printf(Locale.ROOT, "Two readers have seen no mixture of %,d quotes.%n", count);
        }
    }

    private static MemorySegment map(Path file, FileChannel.MapMode mode, Arena arena, OpenOption... options)
            throws IOException {
        try (FileChannel channel = FileChannel.open(file, options)) {
            return channel.map(mode, 0, QUOTE + QUOTES.layout().byteSize(), arena);
        }
    }

    private static void write(MemorySegment segment, long count) {
        SequenceLock lock = SequenceLock.of(segment, 0);
        for (long number = 1; number <= count; number++) {
            double bid = 10 + number % 100;
            Quote quote = new Quote(number, bid, bid + SPREAD);
            lock.beginWrite();
            QUOTES.set(segment, QUOTE, quote);
            lock.endWrite();
        }
    }

    /// Reads until the last quote is there.
    ///
    /// @return the number of quotes that were mixed of two
    private static long readUntil(Path file, long last) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment segment = map(file, FileChannel.MapMode.READ_ONLY, arena, READ);
            SequenceLock lock = SequenceLock.of(segment, 0);
            long mixed = 0;
            long number = 0;
            while (number < last) {
                Quote quote = lock.read(() -> QUOTES.get(segment, QUOTE));
                number = quote.number();
                mixed += number > 0 && quote.ask() - quote.bid() != SPREAD ? 1 : 0;
            }
            return mixed;
        }
    }
}
