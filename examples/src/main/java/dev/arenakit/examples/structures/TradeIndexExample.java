package dev.arenakit.examples.structures;

import dev.arenakit.MallocArena;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import dev.arenakit.layout.annotation.In;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;

/// A hash index over records: each bucket refers to its first trade, and each trade to the next trade in it.
final class TradeIndexExample {
    private static final RecordMapper<Trade> TRADES = RecordMapper.of(Trade.class);
    private static final RecordMapper<Bucket> BUCKETS = RecordMapper.of(Bucket.class);

    record Trade(long account, int quantity, @In("trades") Ref32<Trade> next) {}

    record Bucket(@In("trades") Ref32<Trade> first) {}

    private final MemorySegment trades;
    private final MemorySegment buckets;
    private final long mask;

    /// @param count a power of two
    private TradeIndexExample(MemorySegment trades, MemorySegment buckets, long count) {
        this.trades = trades;
        this.buckets = buckets;
        mask = count - 1;
    }

    /// Runs the example.
    ///
    /// @param args none
    public static void main(String[] args) {
        run(System.out);
    }

    static void run(PrintStream out) {
        long count = 1 << 10;
        try (MallocArena arena = MallocArena.ofConfined()) {
            TradeIndexExample index = new TradeIndexExample(TRADES.allocate(arena, count),
                    BUCKETS.allocateZeroed(arena, count), count);
            for (int i = 0; i < count; i++) {
                index.add(i, 1_000_000L + i % 300, i % 7 - 3);
            }
            for (long account : new long[]{1_000_000, 1_000_299, 5}) {
                out.println("account " + account + ": " + index.describe(account));
            }
        }
    }

    private void add(long index, long account, int quantity) {
        long bucket = bucket(account);
        TRADES.setAtIndex(trades, index, new Trade(account, quantity, BUCKETS.getAtIndex(buckets, bucket).first()));
        BUCKETS.setAtIndex(buckets, bucket, new Bucket(TRADES.refAtIndex(index)));
    }

    private String describe(long account) {
        long count = 0;
        long sum = 0;
        Ref<Trade> at = BUCKETS.getAtIndex(buckets, bucket(account)).first();
        while (!at.isNone()) {
            Trade trade = at.follow(trades);
            if (trade.account() == account) {
                count++;
                sum += trade.quantity();
            }
            at = trade.next();
        }
        return count + " trades, quantity " + sum;
    }

    private long bucket(long account) {
        return ((account * 0x9e37_79b9_7f4a_7c15L) >>> 32) & mask;
    }
}
