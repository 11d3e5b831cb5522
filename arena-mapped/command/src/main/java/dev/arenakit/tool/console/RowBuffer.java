package dev.arenakit.tool.console;

import dev.arenakit.tool.console.Table.RowConsumer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Rows of a table as bytes, which take less memory than strings, and little time of the garbage collector. There may
/// be millions of rows: when they take an eighth of the heap, the buffer is full.
final class RowBuffer {
    private static final int BLOCK = 1 << 16;
    private static final byte END_OF_CELL = 0;

    private final int columns;
    private final long maxBlocks = Runtime.getRuntime().maxMemory() / 8 / BLOCK;
    /// The full blocks. The end of the last row in a block is the end of the block.
    private final List<byte[]> blocks = new ArrayList<>();
    private byte[] block = new byte[0];
    private int filled;
    private byte[] row = new byte[1 << 8];
    private int rowSize;
    private long count;
    private boolean isFull;

    RowBuffer(int columns) {
        this.columns = columns;
    }

    /// The number of rows.
    long count() {
        return count;
    }

    /// Adds a row, unless the buffer is full. No cell contains a character 0.
    void add(String... cells) {
        if (isFull) {
            return;
        }
        rowSize = 0;
        for (String cell : cells) {
            encode(cell);
        }
        if (rowSize > block.length - filled) {
            if (filled > 0) {
                blocks.add(Arrays.copyOf(block, filled));
            }
            block = new byte[Math.max(BLOCK, rowSize)];
            filled = 0;
            isFull = blocks.size() >= maxBlocks;
        }
        if (!isFull) {
            System.arraycopy(row, 0, block, filled, rowSize);
            filled += rowSize;
            count++;
        }
    }

    private void encode(String cell) {
        int length = cell.length();
        // A character takes at most three bytes.
        if (row.length - rowSize <= 3L * length) {
            row = Arrays.copyOf(row, row.length * 2 + 3 * length);
        }
        for (int i = 0; i < length; i++) {
            char c = cell.charAt(i);
            if (c >= 0x80) {
                byte[] rest = cell.substring(i).getBytes(UTF_8);
                System.arraycopy(rest, 0, row, rowSize, rest.length);
                rowSize += rest.length;
                break;
            }
            row[rowSize++] = (byte) c;
        }
        row[rowSize++] = END_OF_CELL;
    }

    /// Passes the rows to a consumer, in their order.
    void forEach(RowConsumer consumer) throws IOException {
        String[] previous = new String[columns];
        Arrays.fill(previous, "");
        for (byte[] full : blocks) {
            forEach(full, full.length, previous, consumer);
        }
        forEach(block, filled, previous, consumer);
    }

    /// @param previous the cells of the row before; equal cells are the same strings
    private void forEach(byte[] bytes, int end, String[] previous, RowConsumer consumer) throws IOException {
        for (int at = 0; at < end;) {
            for (int i = 0; i < columns; i++) {
                int start = at;
                String before = previous[i];
                int length = before.length();
                while (at - start < length && bytes[at] == before.charAt(at - start)) {
                    at++;
                }
                if (at - start < length || bytes[at] != END_OF_CELL) {
                    while (bytes[at] != END_OF_CELL) {
                        at++;
                    }
                    previous[i] = new String(bytes, start, at - start, UTF_8);
                }
                at++;
            }
            consumer.row(previous.clone());
        }
    }
}
