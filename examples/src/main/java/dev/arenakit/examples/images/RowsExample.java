package dev.arenakit.examples.images;

import dev.arenakit.examples.process.CannotShowException;
import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.GrowableSegment;
import dev.arenakit.mapped.GrowableTable;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Locale;

/// Kills a process that appends rows to a table, reads the table, and continues with it. `docs/stored-structures.md` describes it.
public final class RowsExample {
    private static final RecordMapper<Trade> TRADES = RecordMapper.of(Trade.class);
    private static final long ACKNOWLEDGED = 10_000;

    private RowsExample() {}

    record Trade(long id, double price, @Length(8) String symbol) {
        static Trade number(long id) {
            return new Trade(id, 9.5 + id % 100, "ARNA" + id % 1000);
        }
    }

    /// Runs the example.
    ///
    /// @param args the directory in which a directory for the images is created
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        run(System.out, Path.of(args[0]));
    }

    static void run(PrintStream out, Path temporary) throws CannotShowException, IOException, InterruptedException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-rows-")) {
            Path base = created.path().resolve("market");
            try (DoomedProcess writer = DoomedProcess.start(RowWriter.class, base.toString())) {
                long acknowledged = writer.killAt(ACKNOWLEDGED).reached() + 1;
                long size = size(base);
                if (size < acknowledged) {
                    throw new IllegalStateException(
                            "Rows were lost: size=" + size + ", acknowledged=" + acknowledged);
                }
                Trade before = append(base, Trade.number(size));
                if (!before.equals(Trade.number(size - 1))) {
                    throw new IllegalStateException("Last row is not complete: row=" + before);
                }
            }
            out.printf(Locale.ROOT, "More than %,d rows have survived the kill.%n", ACKNOWLEDGED);
            grow(created.path().resolve("other"));
            setCount(created.path().resolve("other"), acceptUnforced(created.path().resolve("other")));
        }
    }

    private static long size(Path base) throws IOException {
        try (ArenaImage image = ArenaImage.open(base); Arena arena = Arena.ofConfined()) {
            GrowableTable<Trade> trades = image.structures(arena).table("trades", Trade.class); // in any process
            return trades.size(); // with the rows that the owner has appended meanwhile
        }
    }

    /// Appends a row.
    ///
    /// @return the row before it
    private static Trade append(Path base, Trade trade) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableTable<Trade> trades = arena.structures().table("trades", Trade.class); // opens it, or creates it
            long index = trades.append(trade); // The row survives a kill when this call has returned.
            return trades.get(index - 1);
        }
    }

    private static void grow(Path base) {
        Trade trade = Trade.number(0);
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableSegment trades = arena.names().growable("trades", TRADES.type(), 1L << 40);
            long count = trades.elementCount(); // 0 if the memory is new
            TRADES.setAtIndex(trades.grow((count + 1) * TRADES.byteSize()), count, trade);
            trades.elementCount(count + 1); // The struct is stored first.
        }
    }

    /// Counts the rows of an image that was moved to this machine.
    ///
    /// @return the number of rows
    private static long acceptUnforced(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            GrowableTable<Trade> trades = arena.structures().table("trades", Trade.class); // WARNING: … forced=0
            long count = trades.acceptUnforced(); // 1014. Only if the machine has not failed
            return count;
        }
    }

    private static void setCount(Path base, long count) {
        try (InfiniteArena arena = InfiniteArena.builder(base).reopen()) {
            GrowableSegment rows = arena.names().growable("trades", TRADES.type(), 1);
            rows.elementCount(count); // Then arena.structures().table("trades", Trade.class) opens.
        }
    }
}
