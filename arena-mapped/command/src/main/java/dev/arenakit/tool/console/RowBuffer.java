package dev.arenakit.tool.console;

import dev.arenakit.tool.console.Table.RowConsumer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Rows of a table as bytes, which take less memory than strings, and little time of the garbage collector. There may
/// be millions of rows: when they take an eighth of the heap, the buffer is full.
final class RowBuffer {
    private static final int BLOCK = 1 << 16;
    private static final byte END_OF_CELL = 0;
    /// Stands for a cell that the row before has, too: a program makes many allocations of one type and size.
    private static final byte SAME_CELL = 1;

    private final int columns;
    private final long maxBlocks = Runtime.getRuntime().maxMemory() / 8 / BLOCK;
    /// The full blocks. The end of the last row in a block is the end of the block.
    private final List<byte[]> blocks = new ArrayList<>();
    private byte[] block = new byte[0];
    private int filled;
    private byte[] row = new byte[1 << 8];
    private int rowSize;
    private final @Nullable String[] last;
    private long count;
    private boolean isFull;

    RowBuffer(int columns) {
        this.columns = columns;
        last = new String[columns];
    }

    /// The number of rows.
    long count() {
        return count;
    }

    /// Adds a row, unless the buffer is full. No cell contains a control character.
    void add(String... cells) {
        if (isFull) {
            return;
        }
        rowSize = 0;
        for (int i = 0; i < columns; i++) {
            if (cells[i].equals(last[i])) {
                row[rowSize++] = SAME_CELL;
            } else {
                encode(cells[i]);
                last[i] = cells[i];
            }
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
        // A character takes at most three bytes. Each later cell takes at least one.
        if (row.length - rowSize <= 3L * length + columns) {
            row = Arrays.copyOf(row, row.length * 2 + 3 * length + columns);
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

    /// Passes the rows to a consumer, in their order. The consumer does not keep the array.
    void forEach(RowConsumer consumer) throws IOException {
        String[] cells = new String[columns];
        for (byte[] full : blocks) {
            forEach(full, full.length, cells, consumer);
        }
        forEach(block, filled, cells, consumer);
    }

    /// @param cells the cells of the row before
    private static void forEach(byte[] bytes, int end, String[] cells, RowConsumer consumer) throws IOException {
        for (int at = 0; at < end;) {
            for (int i = 0; i < cells.length; i++) {
                int start = at;
                while (bytes[at] != END_OF_CELL && bytes[at] != SAME_CELL) {
                    at++;
                }
                if (bytes[at++] == END_OF_CELL) {
                    cells[i] = new String(bytes, start, at - 1 - start, UTF_8);
                }
            }
            consumer.row(cells);
        }
    }
}
