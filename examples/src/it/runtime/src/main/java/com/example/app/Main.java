package com.example.app;

import module dev.arenakit.mapped;
import module java.base;

import static java.lang.invoke.MethodHandles.lookup;

/// Uses a pool, which needs native access, and mappers and files, which do not.
public final class Main {
    private static final RecordMapper<Trade> TRADES = RecordMapper.of(lookup(), Trade.class);
    private static final ViewMapper<TradeView> VIEWS = ViewMapper.of(lookup(), TradeView.class, TRADES.type());
    private static final SlabPool POOL = SlabPool.create();

    private Main() {}

    record Trade(long id, double price) {}

    interface TradeView extends View {
        long id();

        double price();

        void price(double price);
    }

    /// Runs the program.
    ///
    /// @param args none
    /// @throws IOException if the directory of the files cannot be created
    public static void main(String[] args) throws IOException {
        try (SlabArena arena = POOL.openConfined()) {
            greet(arena);
        } catch (IllegalCallerException e) {
            System.out.println(e.getMessage());
        }
        Path base = Files.createDirectories(Path.of("target", "memory")).resolve("app");
        try (InfiniteArena arena = InfiniteArena.builder(base).uniqueBase().deleteOnClose().build()) {
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), 8);
            TRADES.setAtIndex(trades, 7, new Trade(42, 9.5));
            VIEWS.viewAtIndex(trades, 7).price(10.5);
            System.out.println(TRADES.getAtIndex(trades, 7));
        }
    }

    /// Writes to memory of an arena and prints what it reads back.
    ///
    /// @param arena the arena
    public static void greet(SlabArena arena) {
        System.out.println(arena.allocateFrom("Hello from SlabArena").getString(0));
    }
}
