package dev.arenakit.spark.internal.vector;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Texts. Spark gets the bytes of a text where they are, unless it is stored in UTF-16.
final class TextVector extends StructVector {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;

    private final StringType stored;
    private final Utf8Text text;
    private final byte[] bytes;
    /// The number of bytes of a text of whole words that a NUL ends, or 0 for another text.
    private final int wordBytes;

    TextVector(ColumnType.Text column, StructBatch batch, Positions values, @Nullable RowFilter valid) {
        super(SparkTypes.of(column), batch, values, valid);
        stored = column.type();
        text = new Utf8Text(stored);
        bytes = batch.bytes();
        wordBytes = stored.unitByteSize() == 1 && stored.prefixByteSize() == 0 && stored.length() % Long.BYTES == 0
                && stored.padding() == StringType.Padding.NUL ? Math.toIntExact(stored.length()) : 0;
    }

    @Override
    boolean isConvertible(int index) {
        try {
            return convert(index).numBytes() >= 0;
        } catch (ConversionFailure _) {
            return false;
        }
    }

    @Override
    public UTF8String getUTF8String(int index) {
        try {
            return convert(index);
        } catch (ConversionFailure e) {
            throw batch.failure(values.row(index), e);
        }
    }

    private UTF8String convert(int index) {
        int at = values.at(index);
        int ascii = asciiLength(at);
        return ascii >= 0 ? UTF8String.fromBytes(bytes, at, ascii) : convertAny(at);
    }

    /// The number of bytes of an ASCII text, or -1 if the text is, or may be, another one.
    private int asciiLength(int at) {
        for (int i = 0; i < wordBytes; i += Long.BYTES) {
            long word = (long) WORD.get(bytes, at + i);
            // The lowest set bit belongs to the first NUL.
            long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
            long before = nuls == 0 ? HIGH_BITS : HIGH_BITS & ((nuls & -nuls) - 1);
            if ((word & before) != 0) {
                return -1;
            }
            if (nuls != 0) {
                return i + (Long.numberOfTrailingZeros(nuls) >>> 3);
            }
        }
        return wordBytes == 0 ? -1 : wordBytes;
    }

    private UTF8String convertAny(int at) {
        MemorySegment segment = batch.segment();
        int length = text.length(segment, at);
        if (stored.unitByteSize() == 1) {
            // The copy to the same place checks the text, and changes nothing.
            int start = at + stored.prefixByteSize();
            return UTF8String.fromBytes(bytes, start, text.copy(segment, at, length, segment, start));
        }
        byte[] converted = new byte[text.mostBytes(length)];
        return UTF8String.fromBytes(converted, 0,
                text.copy(segment, at, length, MemorySegment.ofArray(converted), 0));
    }
}
