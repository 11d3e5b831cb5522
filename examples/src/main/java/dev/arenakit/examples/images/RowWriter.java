package dev.arenakit.examples.images;

import dev.arenakit.examples.images.RowsExample.Trade;
import dev.arenakit.examples.process.DoomedProcess;
import dev.arenakit.mapped.GrowableTable;
import dev.arenakit.mapped.InfiniteArena;
import java.nio.file.Path;

/// The process that [RowsExample] kills. It appends rows to a table until then, or until its parent has ended.
final class RowWriter {
    private static final long STEP = 1000;

    private RowWriter() {}

    /// Appends rows until it is killed.
    ///
    /// @param args the base of the image
    public static void main(String[] args) {
        DoomedProcess.endWithParent();
        append(Path.of(args[0]));
    }

    private static void append(Path base) {
        try (InfiniteArena arena = InfiniteArena.builder(base).openOrCreate()) {
            GrowableTable<Trade> trades = arena.structures().table("trades", Trade.class);
            System.out.println(DoomedProcess.READY);
            while (true) {
                long index = trades.append(Trade.number(trades.size()));
                if (index % STEP == 0) {
                    System.out.println(DoomedProcess.REACHED + index);
                }
            }
        }
    }
}
