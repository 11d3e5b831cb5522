package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.mapped.internal.column.Utf8Text;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/// Copies texts.
final class TextWriter extends ColumnWriter {
    /*
     * A text is copied to a buffer, which has at least 12 bytes. A text of at most 12 bytes is in the vector itself, after its length and followed by zeros; the
     * engine copies a longer text from the buffer.
     */
    private static final int TEXT_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;
    private static final long FIRST_BUFFER = 64;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;

    private final Utf8Text text;
    private final boolean isWord;
    private final Arena arena;
    private MemorySegment buffer;

    TextWriter(DuckDbLibrary engine, StringType type, Arena arena) {
        super(engine);
        this.arena = arena;
        text = new Utf8Text(type);
        isWord = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN && type.length() == Long.BYTES
                && type.unitByteSize() == 1 && type.prefixByteSize() == 0
                && type.padding() == StringType.Padding.NUL;
        buffer = arena.allocate(FIRST_BUFFER);
    }

    @Override
    public void write(long from, long stride, int count, long index, long struct, long structStride) {
        if (isWord) {
            writeWords(from, stride, count, index);
        } else {
            for (int i = 0; i < count; i++) {
                write(from + i * stride, index + i);
            }
        }
    }

    /// Writes texts of 8 bytes. ASCII, the common case, needs no buffer.
    private void writeWords(long from, long stride, int count, long index) {
        long to = data + index * TEXT_BYTE_SIZE;
        for (int i = 0; i < count; i++) {
            if (!putWord(NativeMemory.getLong(from + i * stride), to + (long) i * TEXT_BYTE_SIZE)) {
                write(from + i * stride, index + i);
            }
        }
    }

    private static boolean putWord(long word, long at) {
        // The lowest set bit belongs to the first NUL.
        long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
        // All bits below the first NUL, or all bits if there is no NUL.
        long before = nuls == 0 ? -1 : ((nuls & -nuls) >>> 7) - 1;
        long text = word & before;
        if ((text & HIGH_BITS) != 0) {
            return false;
        }
        NativeMemory.putLong(at, (Long.bitCount(before) >>> 3) | (text << Integer.SIZE));
        NativeMemory.putLong(at + Long.BYTES, text >>> Integer.SIZE);
        return true;
    }

    private void write(long from, long index) {
        int length = text.length(NativeMemory.ALL, from);
        long address = buffer(text.mostBytes(length));
        int byteSize = text.copy(NativeMemory.ALL, from, length, NativeMemory.ALL, address);
        if (byteSize > INLINE_LENGTH) {
            engine.run(DuckDbFunction.VECTOR_ASSIGN_STRING_ELEMENT_LEN, vector, index, address, byteSize);
            return;
        }
        for (int i = byteSize; i < INLINE_LENGTH; i++) {
            NativeMemory.putByte(address + i, (byte) 0);
        }
        long at = data + index * TEXT_BYTE_SIZE;
        NativeMemory.putInt(at, byteSize);
        NativeMemory.copy(address, at + Integer.BYTES, INLINE_LENGTH);
    }

    /// Returns the address of a buffer for at least the given number of bytes.
    private long buffer(int byteSize) {
        if (byteSize > buffer.byteSize()) {
            buffer = arena.allocate(Math.max(byteSize, 4 * buffer.byteSize()));
        }
        return buffer.address();
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        long at = data + index * TEXT_BYTE_SIZE;
        NativeMemory.putLong(at, 0);
        NativeMemory.putLong(at + Long.BYTES, 0);
    }
}
