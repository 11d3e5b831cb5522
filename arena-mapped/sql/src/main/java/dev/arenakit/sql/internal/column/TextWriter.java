package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.sql.internal.duckdb.DuckDbFunction;
import dev.arenakit.sql.internal.duckdb.DuckDbLibrary;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Copies texts.
final class TextWriter extends ColumnWriter {
    /*
     * A text is copied to a buffer and checked there: another thread may change the struct at any time, and the engine
     * relies on UTF-8. A text of at most 12 bytes is in the vector itself, after its length and followed by zeros; the
     * engine copies a longer text from the buffer.
     */
    private static final int TEXT_BYTE_SIZE = 16;
    private static final int INLINE_LENGTH = 12;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;

    private final StringType type;
    private final @Nullable IntegerReader prefix;
    private final boolean isLittleEndian = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private final boolean isWord;
    private final Utf8Text buffer;

    TextWriter(DuckDbLibrary engine, StringType type, Arena arena) {
        super(engine);
        this.type = type;
        prefix = type.prefixByteSize() == 0
                ? null
                : new IntegerReader(0, type.prefixByteSize(), type.prefixOrder(), 0,
                        Byte.SIZE * type.prefixByteSize(), false);
        isWord = isLittleEndian && type.length() == Long.BYTES && type.unitByteSize() == 1 && prefix == null
                && type.padding() == StringType.Padding.NUL;
        buffer = new Utf8Text(type, arena);
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
        long length = type.length();
        if (prefix != null) {
            length = Math.min(length, prefix.read(from));
        }
        int byteSize = buffer.read(from + type.prefixByteSize(), length);
        if (byteSize < 0) {
            throw new ConversionFailure("not a text in " + type.charset() + ": bytes=" + buffer.hex(), from);
        }
        if (byteSize > INLINE_LENGTH) {
            engine.run(DuckDbFunction.VECTOR_ASSIGN_STRING_ELEMENT_LEN, vector, index, buffer.address(), byteSize);
            return;
        }
        long at = data + index * TEXT_BYTE_SIZE;
        buffer.zeroAfter(byteSize, INLINE_LENGTH);
        NativeMemory.putInt(at, byteSize);
        NativeMemory.copy(buffer.address(), at + Integer.BYTES, INLINE_LENGTH);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        long at = data + index * TEXT_BYTE_SIZE;
        NativeMemory.putLong(at, 0);
        NativeMemory.putLong(at + Long.BYTES, 0);
    }
}
