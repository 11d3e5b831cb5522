package dev.arenakit.bench.micro.stored;

import dev.arenakit.layout.text.LayoutText;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Structs of 40 bytes with 500 symbols, which are read as the rows of a table.
final class Trades {
    static final StructType TYPE = LayoutText.parse("""
            #pragma layout 2
            struct Trade { int64_t id; int32_t quantity; int32_t venue; double price; char symbol[8]; int64_t time; };
            """);
    static final long BYTE_SIZE = TYPE.byteSize();

    private static final int SYMBOLS = 500;

    private Trades() {}

    static void fill(MemorySegment trades, long count) {
        byte[][] symbols = new byte[SYMBOLS][];
        for (int i = 0; i < SYMBOLS; i++) {
            symbols[i] = ("ARNA" + i).getBytes(StandardCharsets.US_ASCII);
        }
        for (long i = 0; i < count; i++) {
            long at = i * BYTE_SIZE;
            byte[] symbol = symbols[(int) (i * 7_919 % SYMBOLS)];
            trades.set(JAVA_LONG, at, i + 1);
            trades.set(JAVA_INT, at + 8, (int) (i % 1_000));
            trades.set(JAVA_INT, at + 12, (int) (i % 16));
            trades.set(JAVA_DOUBLE, at + 16, i % 10_000 / 4.0);
            MemorySegment.copy(symbol, 0, trades, JAVA_BYTE, at + 24, symbol.length);
            trades.set(JAVA_LONG, at + 32, i);
        }
    }
}
