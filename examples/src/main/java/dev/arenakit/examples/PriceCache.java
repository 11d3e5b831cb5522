package dev.arenakit.examples;

import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;

/// Prices of instruments, in memory that outlives the process: a table with a place for every number that an instrument could
/// have. Most of it is holes, which take no room; there is nothing to search, to grow or to load.
///
/// One thread puts prices; any may look. A process that is killed while it puts a price leaves that one half written, which its
/// version tells: it is odd meanwhile.
final class PriceCache {
    private static final String NAME = "prices";
    private static final RecordMapper<Price> PRICES = RecordMapper.of(Price.class);
    private static final ViewMapper<PriceView> VIEWS = ViewMapper.of(PriceView.class, PRICES.type());
    private static final LongField VERSION = PRICES.longField("version");

    private final MemorySegment prices;

    /// A price.
    ///
    /// @param version how often it was written, twice: odd while it is being written, 0 where there is none
    record Price(long version, double bid, double ask, long updates) {}

    /// A price where it stands.
    interface PriceView {
        double bid();

        void bid(double bid);

        double ask();

        void ask(double ask);

        long updates();

        void updates(long updates);
    }

    private PriceCache(MemorySegment prices) {
        this.prices = prices;
    }

    /// Makes a cache in a new image.
    ///
    /// @param capacity one more than the highest number of an instrument
    static PriceCache create(InfiniteArena arena, long capacity) {
        return new PriceCache(arena.allocate(NAME, PRICES.type(), capacity));
    }

    /// The cache of an image that was reopened.
    static PriceCache find(InfiniteArena arena) {
        return new PriceCache(arena.find(NAME, PRICES.type())
                .orElseThrow(() -> new IllegalStateException("Image has no prices: base=" + arena.base())));
    }

    /// One more than the highest number of an instrument.
    long capacity() {
        return prices.byteSize() / PRICES.byteSize();
    }

    void put(long instrument, double bid, double ask) {
        long version = VERSION.get(prices, instrument);
        // Volatile, so that nothing of what follows is stored before.
        VERSION.setVolatile(prices, instrument, version + 1);
        PriceView price = VIEWS.view(prices, instrument);
        price.bid(bid);
        price.ask(ask);
        price.updates(price.updates() + 1);
        VERSION.setRelease(prices, instrument, version + 2);
    }

    /// The difference between what is asked and what is bid, or empty where there is no price.
    OptionalDouble spread(long instrument) {
        while (true) {
            long version = VERSION.getVolatile(prices, instrument);
            PriceView price = VIEWS.view(prices, instrument);
            double spread = price.ask() - price.bid();
            boolean unchanged = VERSION.getVolatile(prices, instrument) == version;
            if (unchanged && version % 2 == 0) {
                return version == 0 ? OptionalDouble.empty() : OptionalDouble.of(spread);
            }
            Thread.onSpinWait();
        }
    }

    /// Removes a price that its writer did not finish.
    ///
    /// @return whether it was one
    boolean removeUnfinished(long instrument) {
        boolean unfinished = VERSION.get(prices, instrument) % 2 != 0;
        if (unfinished) {
            PRICES.set(prices, instrument, new Price(0, 0, 0, 0));
        }
        return unfinished;
    }
}
