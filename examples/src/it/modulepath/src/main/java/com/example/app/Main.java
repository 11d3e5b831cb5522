package com.example.app;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static java.lang.invoke.MethodHandles.lookup;

public final class Main {
    record Trade(long id, int quantity, double price, @Length(8) String symbol) {}

    private static final RecordMapper<Trade> TRADES = RecordMapper.of(lookup(), Trade.class);
    private static final IntField QUANTITY = TRADES.intField("quantity");
    private static final DoubleField PRICE = TRADES.doubleField("price");
    private static final SlabPool POOL = SlabPool.create();

    public static void main(String[] args) throws IOException {
        try (SlabArena arena = POOL.openConfined()) {
            MemorySegment trades = TRADES.allocate(arena, 1_000_000);
            TRADES.setAtIndex(trades, 7, new Trade(42, 3, 9.5, "ARNA"));
            QUANTITY.getAndAddAtIndex(trades, 7, -1); // one instruction of the processor
            System.out.println(PRICE.getAtIndex(trades, 7)); // reads the price alone
            LayoutDump.of(TRADES.type()).withFirst(7).withCount(1).append(trades, System.out);
        }
    }
}
