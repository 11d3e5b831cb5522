package dev.arenakit.examples;

import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalDouble;

/// Prices of instruments in memory that outlives the process: a table with an entry for every possible instrument
/// number. Most of the table consists of holes, which take no space on the disk. Nothing has to be searched, grown or
/// loaded.
///
/// One thread stores prices, and all threads may read them. A process that is killed while it stores a price leaves
/// that price half written. Its version shows this: it is odd during a write.
final class PriceCache {
    private static final String NAME = "prices";
    private static final RecordMapper<Price> PRICES = RecordMapper.of(Price.class);
    private static final ViewMapper<PriceView> VIEWS = ViewMapper.of(PriceView.class, PRICES.type());
    private static final LongField VERSION = PRICES.longField("version");

    private final MemorySegment prices;

    /// A price.
    ///
    /// @param version twice the number of writes; odd during a write, and 0 if there is no price
    record Price(long version, double bid, double ask, long updates) {}

    /// A view of a price in the table.
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

    /// Creates a cache in a new image.
    ///
    /// @param capacity the highest instrument number, plus one
    static PriceCache create(InfiniteArena arena, long capacity) {
        return new PriceCache(arena.allocate(NAME, PRICES.type(), capacity));
    }

    /// Finds the cache in an image that was reopened.
    static PriceCache find(InfiniteArena arena) {
        return new PriceCache(arena.get(NAME, PRICES.type()));
    }

    /// Returns the highest instrument number, plus one.
    long capacity() {
        return prices.byteSize() / PRICES.byteSize();
    }

    void put(long instrument, double bid, double ask) {
        long version = VERSION.getAtIndex(prices, instrument);
        // A volatile store, so that no store below becomes visible before it.
        VERSION.setVolatileAtIndex(prices, instrument, version + 1);
        PriceView price = VIEWS.viewAtIndex(prices, instrument);
        price.bid(bid);
        price.ask(ask);
        price.updates(price.updates() + 1);
        VERSION.setReleaseAtIndex(prices, instrument, version + 2);
    }

    /// Returns the difference between ask and bid, or empty if there is no price.
    OptionalDouble spread(long instrument) {
        while (true) {
            long version = VERSION.getVolatileAtIndex(prices, instrument);
            PriceView price = VIEWS.viewAtIndex(prices, instrument);
            double spread = price.ask() - price.bid();
            boolean unchanged = VERSION.getVolatileAtIndex(prices, instrument) == version;
            if (unchanged && version % 2 == 0) {
                return version == 0 ? OptionalDouble.empty() : OptionalDouble.of(spread);
            }
            Thread.onSpinWait();
        }
    }

    /// Removes a price if its writer did not finish it.
    ///
    /// @return whether the price was unfinished
    boolean removeUnfinished(long instrument) {
        boolean unfinished = VERSION.getAtIndex(prices, instrument) % 2 != 0;
        if (unfinished) {
            PRICES.setAtIndex(prices, instrument, new Price(0, 0, 0, 0));
        }
        return unfinished;
    }
}
