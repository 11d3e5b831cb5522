package dev.arenakit.arrow;

import dev.arenakit.MallocArena;
import dev.arenakit.collection.LongList;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.arrow.ArrowIpcExample.TRADES;

/// The examples of [ArrowC], of its results, and of `docs/arrow.md`.
final class ArrowCExample {
    private ArrowCExample() {}

    /// A native library that takes a column of numbers.
    interface ColumnConsumer {
        void take(long schemaAddress, long arrayAddress);
    }

    /// A native library that takes a stream.
    interface StreamConsumer {
        void take(long streamAddress);
    }

    static void exportList(ColumnConsumer library) {
        // @start region="list"
        try (LongList prices = LongList.owning(MallocArena::ofShared)) {
            prices.addAll(995, 1005, 1010);
            try (ArrowExport export = ArrowC.export(prices)) {
                library.take(export.schemaAddress(), export.arrayAddress());
            }
        }
        // @end
    }

    static void exportStream(MemorySegment trades, StreamConsumer library) {
        // @start region="stream"
        try (ArrowStream stream = ArrowC.stream(TRADES.type(), trades)) {
            library.take(stream.address());
        }
        // @end
    }
}
