package dev.arenakit.sql;

import dev.arenakit.internal.DuckDbFunction;
import dev.arenakit.internal.DuckDbLibrary;
import dev.arenakit.layout.type.StringType;
import java.lang.foreign.Arena;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Copies texts.
final class TextWriter extends ColumnWriter {
    /*
     * A text is copied to a buffer before it is checked: another thread may change the struct meanwhile, and the engine
     * relies on UTF-8. A text of at most 12 bytes is in the vector itself, after its length and followed by zeros; the
     * engine copies a longer one from the buffer.
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
    void write(long from, long stride, int count, long index, long struct, long structStride) {
        for (int i = 0; i < count; i++) {
            if (!isWord || !writeWord(from + i * stride, index + i)) {
                write(from + i * stride, index + i);
            }
        }
    }

    /// Writes a text of up to 8 characters of ASCII, the common case, without a buffer.
    private boolean writeWord(long from, long index) {
        long word = Native.getLong(from);
        // The lowest of these bits is that of the first NUL.
        long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
        int length = Long.numberOfTrailingZeros(nuls) >>> 3;
        long text = length == 0 ? 0 : word & (-1L >>> (Long.SIZE - Byte.SIZE * length));
        if ((text & HIGH_BITS) != 0) {
            return false;
        }
        long at = data + index * TEXT_BYTE_SIZE;
        Native.putLong(at, length | text << Integer.SIZE);
        Native.putLong(at + Long.BYTES, text >>> Integer.SIZE);
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
        Native.putInt(at, byteSize);
        Native.copy(buffer.address(), at + Integer.BYTES, INLINE_LENGTH);
    }

    @Override
    void setNull(long index) {
        super.setNull(index);
        long at = data + index * TEXT_BYTE_SIZE;
        Native.putLong(at, 0);
        Native.putLong(at + Long.BYTES, 0);
    }
}
