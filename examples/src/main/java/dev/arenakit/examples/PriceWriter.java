package dev.arenakit.examples;

import dev.arenakit.mapped.InfiniteArena;
import java.nio.file.Path;
import java.util.SplittableRandom;

/// The process that [PriceCacheExample] kills: it puts a price for each instrument, then new ones until it is killed.
final class PriceWriter {
    /// Of all prices: by it is seen that bid and ask are of one time.
    static final double SPREAD = 0.25;

    private static final int EXCHANGES = 20;
    private static final long STEP = 1 << 16;

    private PriceWriter() {}

    /// Writes until it is killed.
    ///
    /// @param args the base of the image, how many numbers instruments may have, and how many there are
    public static void main(String[] args) {
        DoomedProcess.endWithParent();
        long capacity = Long.parseLong(args[1]);
        long count = Long.parseLong(args[2]);
        // Never closed: this process does not come to its end.
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

    /// The number of an instrument: each exchange has a range of its own, and uses the beginning of it.
    static long instrument(long i, long capacity, long count) {
        long each = count / EXCHANGES;
        return i / each * (capacity / EXCHANGES) + i % each;
    }

    static void put(PriceCache cache, long instrument, double bid) {
        cache.put(instrument, bid, bid + SPREAD);
    }
}
