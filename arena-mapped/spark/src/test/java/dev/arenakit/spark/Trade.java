package dev.arenakit.spark;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import dev.arenakit.mapped.InfiniteArena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;

/// The struct of most tests.
record Trade(long id, int quantity, double price, @Length(16) String symbol) {
    static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    /// The trade that [#write] stores at an index.
    static Trade at(long index) {
        return new Trade(index, (int) (index % 1000) + 1, index % 97 * 0.5, "S" + index * 31 % 50);
    }

    /// Writes an image with an allocation `trades` of twice the given number of structs.
    static void write(Path base, long first, int count) {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADES.type(), 2L * count);
            for (int i = 0; i < count; i++) {
                TRADES.setAtIndex(trades, i, at(first + i));
            }
        }
    }
}
