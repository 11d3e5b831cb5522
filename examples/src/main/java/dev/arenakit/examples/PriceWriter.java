package dev.arenakit.examples;

import dev.arenakit.mapped.InfiniteArena;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// The process that [PriceCacheExample] kills. It stores a price for each instrument, then new prices until it is
/// killed.
final class PriceWriter {
    /// The spread of all prices. Any other spread means that bid and ask are from different writes.
    static final double SPREAD = 0.25;

    private static final int EXCHANGES = 20;
    private static final long STEP = 1 << 16;

    private PriceWriter() {}

    /// Writes until it is killed.
    ///
    /// @param args the base of the image, the capacity of the table, and the number of instruments
    public static void main(String[] args) {
        DoomedProcess.endWithParent();
        long capacity = Long.parseLong(args[1]);
        long count = Long.parseLong(args[2]);
        // The arena is never closed, because the process is killed.
        PriceCache cache = PriceCache.create(InfiniteArena.ofShared(Path.of(args[0])), capacity);
        for (long i = 0; i < count; i++) {
            put(cache, instrument(i, capacity, count), 100);
        }
        System.out.println(DoomedProcess.READY);
        SplittableRandom random = new SplittableRandom(1);
        for (long n = 1;; n++) {
            put(cache, instrument(random.nextLong(count), capacity, count), random.nextInt(50, 150));
            if (n % STEP == 0) {
                System.out.println(DoomedProcess.REACHED + n);
            }
        }
    }

    /// Returns the number of an instrument. Each exchange has a range of numbers, and uses the beginning of that range.
    static long instrument(long i, long capacity, long count) {
        long each = count / EXCHANGES;
        return i / each * (capacity / EXCHANGES) + i % each;
    }

    static void put(PriceCache cache, long instrument, double bid) {
        cache.put(instrument, bid, bid + SPREAD);
    }
}
