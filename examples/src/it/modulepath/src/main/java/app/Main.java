package app;

import module dev.arenakit.mapped;
import module java.base;

import static java.lang.invoke.MethodHandles.lookup;

public class Main {
    record Trade(long id, int quantity, double price, @Length(8) String symbol) {}

    static final RecordMapper<Trade> TRADES = RecordMapper.of(lookup(), Trade.class);
    static final DoubleField PRICE = TRADES.doubleField("price");
    static final SlabPool POOL = SlabPool.create();

    public static void main(String[] args) throws IOException {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment trades = TRADES.allocate(arena, 1_000_000);
            TRADES.setAtIndex(trades, 7, new Trade(42, 3, 9.5, "ARNA"));
            System.out.println(PRICE.getAtIndex(trades, 7)); // reads the price alone
            LayoutDump.of(TRADES.type()).withFirst(7).withCount(1).append(trades, System.out);
        }
    }
}
