package dev.arenakit.arrow;

import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.annotation.Length;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

/// The examples of [ArrowIpc], of [ArrowWriter], and of `docs/arrow.md`.
final class ArrowIpcExample {
    enum Side {
        BUY, SELL
    }

    record Trade(long id, Side side, double price, @Length(8) String symbol) {}

    static final RecordMapper<Trade> TRADES = RecordMapper.of(MethodHandles.lookup(), Trade.class);

    private ArrowIpcExample() {}

    static void writeFile(MemorySegment trades, Path path) throws IOException {
        // @start region="file"
        try (FileChannel file = FileChannel.open(path, CREATE_NEW, WRITE)) {
            ArrowIpc.writeFile(file, TRADES.type(), trades);
        }
        // @end
    }

    static void writeStream(MemorySegment trades, WritableByteChannel socket) throws IOException {
        // @start region="dictionaries"
        ArrowIpc.stream(TRADES.type()).withBatchRows(10_000).withTextDictionaries("symbol").write(socket, trades);
        // @end
    }

    static void writePieces(Iterable<MemorySegment> pieces, Path path) throws IOException {
        // @start region="pieces"
        try (FileChannel file = FileChannel.open(path, CREATE_NEW, WRITE);
                ArrowWriter writer = ArrowIpc.file(TRADES.type()).open(file)) {
            for (MemorySegment piece : pieces) {
                writer.write(piece);
            }
            writer.finish();
        }
        // @end
    }
}
