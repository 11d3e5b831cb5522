package dev.arenakit.examples.readme;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.dump.LayoutDump;
import dev.arenakit.layout.ColumnMapper;
import dev.arenakit.layout.ColumnTable;
import dev.arenakit.layout.DoubleField;
import dev.arenakit.layout.IntField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.ViewMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// The code of the README and of the pages in `docs`.
public final class ReadmeExample {
    static final SlabPool POOL = SlabPool.create();

    private ReadmeExample() {}

    record Trade(long id, int quantity, double price, @Length(8) String symbol) {}

    static final RecordMapper<Trade> TRADES = RecordMapper.of(Trade.class);
    static final IntField QUANTITY = TRADES.intField("quantity");
    static final DoubleField PRICE = TRADES.doubleField("price");

    interface TradeView {
        int quantity();

        TradeView quantity(int quantity);
    }

    static final ViewMapper<TradeView> VIEWS = ViewMapper.of(TradeView.class, TRADES.type());

    static int buy(MemorySegment trades, long index, int quantity) {
        TradeView trade = VIEWS.viewAtIndex(trades, index);
        return trade.quantity(trade.quantity() + quantity).quantity();
    }

    static final ColumnMapper<Trade> TABLES = ColumnMapper.of(Trade.class);

    static double total(SlabArena arena) {
        ColumnTable<Trade> table = TABLES.create(arena, 1_000_000);
        table.append(new Trade(42, 3, 9.5, "ARNA"));
        Trade first = table.get(0);
        MemorySegment prices = table.column("price"); // doubles, one after another
        return prices.get(JAVA_DOUBLE, 0) * first.quantity();
    }

    /// Runs the example.
    ///
    /// @param args the directory of the image, which remains
    /// @throws IOException if the output fails
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]));
    }

    static void run(PrintStream out, Path directory) throws IOException {
        allocate(out);
        try (SlabArena arena = POOL.openConfined()) {
            describe(arena, out);
            out.println(buy(TRADES.allocateFrom(arena, new Trade(42, 3, 9.5, "ARNA")), 0, 100));
        }
        Path base = directory.resolve("my-mapped-memory");
        store(base);
        reopen(base, out);
    }

    private static void allocate(PrintStream out) {
        try (SlabArena arena = POOL.openConfined()) { // static final SlabPool POOL = SlabPool.create();
            MemorySegment text = arena.allocateFrom("Hello World");
            MemorySegment counts = arena.allocateFrom(JAVA_LONG, 1, 2, 3);
            out.println(text.getString(0) + ", " + counts.getAtIndex(JAVA_LONG, 2));
        } // The memory is back in the pool, and access through either segment throws.
    }

    static void store(Path base) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) { // Path base = Path.of("my-mapped-memory");
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), 1L << 30); // 32 GiB in a sparse file
            TRADES.setAtIndex(trades, 7, new Trade(42, 3, 9.5, "ARNA"));
        }
    }

    private static void reopen(Path base, PrintStream out) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) { // throws if another process owns it
            MemorySegment trades = arena.names().getOrAllocate("trades", TRADES.type(), 1L << 30);
            out.println(TRADES.getAtIndex(trades, 7).symbol());
        }
    }

    private static void describe(SlabArena arena, PrintStream out) throws IOException {
        MemorySegment trades = TRADES.allocate(arena, 1_000_000);
        TRADES.setAtIndex(trades, 7, new Trade(42, 3, 9.5, "ARNA"));
        QUANTITY.getAndAddAtIndex(trades, 7, -1); // one instruction of the processor
        out.println(PRICE.getAtIndex(trades, 7)); // reads the price alone
        out.print(LayoutText.describe(TRADES.type()));
        LayoutDump.of(TRADES.type()).withFirst(7).withCount(1).append(trades, out);
    }
}
