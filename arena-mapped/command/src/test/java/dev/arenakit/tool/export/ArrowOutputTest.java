package dev.arenakit.tool.export;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.tool.InSharedMemory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

class ArrowOutputTest extends InSharedMemory {
    private static final StructType TRADE = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 0, SELL = 1, };
            struct Trade { int64_t id; enum Side side; };
            """);
    private static final StructType ROW = LayoutText.parse("""
            #pragma layout 2
            enum Side : uint8_t { BUY = 0, SELL = 1, };
            struct Trade @packed { int64_t index; int64_t id; enum Side side; uint8_t padding[7]; };
            """);
    private static final long COUNT = 1L << 36;

    @Test
    void arrow_ofASparseAllocation_hasTheStoredStructsWithTheirIndices() throws IOException {
        try (InfiniteArena arena = InfiniteArena.ofShared(base)) {
            MemorySegment trades = arena.names().allocate("trades", TRADE, COUNT);
            set(trades, 3, 7, 1);
            set(trades, 4, -1, 0);
            set(trades, COUNT - 1, 8, 1);
            for (long i = 1 << 20; i < (1 << 20) + 100_000; i++) {
                set(trades, i, i, 0);
            }
        }
        ByteBuffer rows = ByteBuffer.allocate(100_003 * 24).order(ByteOrder.LITTLE_ENDIAN);
        rows.putLong(3).putLong(7).putLong(1);
        rows.putLong(4).putLong(-1).putLong(0);
        for (long i = 1 << 20; i < (1 << 20) + 100_000; i++) {
            rows.putLong(i).putLong(i).putLong(0);
        }
        rows.putLong(COUNT - 1).putLong(8).putLong(1);
        byte[] expected = arrow(rows.array());
        Path file = directory.resolve("trades.arrow");
        ExportCommandTest.export(base, "trades", "--arrow", "-o", file.toString()).succeeds();
        assertThat(Files.readAllBytes(file)).isEqualTo(expected);
    }

    /// The rows as the type that the command makes: it is as large as the struct and its index, and it has no member
    /// for padding.
    private static byte[] arrow(byte[] rows) throws IOException {
        StructType type = new StructType("Trade", ROW.members().subList(0, 3), 24, 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowIpc.writeFile(Channels.newChannel(bytes), type, MemorySegment.ofArray(rows));
        return bytes.toByteArray();
    }

    private static void set(MemorySegment trades, long index, long id, int side) {
        trades.set(JAVA_LONG, index * TRADE.byteSize(), id);
        trades.set(JAVA_BYTE, index * TRADE.byteSize() + 8, (byte) side);
    }

    @Test
    void arrow_ofAValueThatIsNone_namesTheMemberAndLeavesNoFile() throws IOException {
        using(InfiniteArena.ofShared(base), arena -> set(arena.names().allocate("trades", TRADE, 10), 5, 1, 2));
        Path file = directory.resolve("trades.arrow");
        assertThat(ExportCommandTest.export(base, "trades", "--arrow", "-o", file.toString()).exits(1).err())
                .contains("trades: ")
                .contains("field=side, reason=not a constant of the enum");
        assertThat(file).doesNotExist();
    }

    @Test
    void arrow_withoutAName_isRefused() {
        using(InfiniteArena.ofShared(base), arena -> arena.names().allocate("trades", TRADE, 10));
        assertThat(ExportCommandTest.export(base, "--arrow").exits(2).err())
                .contains("Option '--arrow' writes one allocation: give one NAME");
    }
}
