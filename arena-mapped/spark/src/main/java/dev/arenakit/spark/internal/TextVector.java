package dev.arenakit.spark.internal;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.Utf8Text;
import java.lang.foreign.MemorySegment;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/// Texts. Spark gets the bytes of a text where they are, unless it is stored in UTF-16.
final class TextVector extends StructVector {
    private final StringType type;
    private final Utf8Text text;

    TextVector(ColumnType.Text column, StructBatch batch, Positions values, @Nullable RowTest valid) {
        super(SparkTypes.of(column), batch, values, valid);
        type = column.type();
        text = new Utf8Text(type);
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
        MemorySegment segment = batch.segment();
        int at = values.at(index);
        int length = text.length(segment, at);
        if (type.unitByteSize() == 1) {
            // The copy to the same place checks the text, and changes nothing.
            int start = at + type.prefixByteSize();
            return UTF8String.fromBytes(batch.bytes(), start, text.copy(segment, at, length, segment, start));
        }
        byte[] converted = new byte[text.mostBytes(length)];
        return UTF8String.fromBytes(converted, 0,
                text.copy(segment, at, length, MemorySegment.ofArray(converted), 0));
    }
}
