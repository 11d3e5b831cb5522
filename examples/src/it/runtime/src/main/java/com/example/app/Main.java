package com.example.app;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.View;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

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
            System.out.println(arena.allocateFrom("Hello from SlabArena").getString(0));
        } catch (IllegalCallerException e) {
            System.out.println(e.getMessage());
        }
        Path base = Files.createDirectories(Path.of("target", "memory")).resolve("app");
        try (InfiniteArena arena = InfiniteArena.builder(base).uniqueBase().deleteOnClose().build()) {
            MemorySegment trades = arena.allocate("trades", TRADES.type(), 8);
            TRADES.setAtIndex(trades, 7, new Trade(42, 9.5));
            VIEWS.viewAtIndex(trades, 7).price(10.5);
            System.out.println(TRADES.getAtIndex(trades, 7));
        }
    }
}
