package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;

/// The values of a column in a batch. All batches use the same memory.
///
/// A value may be written anew if a later value of the same row is refused: where a value stands depends on its index
/// and on the values before it only.
abstract sealed class ColumnBuffer
        permits
        NumberBuffer,
        BooleanBuffer,
        TextBuffer,
        EnumBuffer,
        EnumNameBuffer,
        TextDictionaryBuffer,
        ListBuffer,
        ArrayBuffer,
        StructBuffer,
        UnionBuffer {
    private final NullBits nulls;
    /// The columns within this column that have a value at each of its indices.
    final ColumnBuffer[] members;

    ColumnBuffer(SegmentAllocator memory) {
        this(memory, List.of());
    }

    ColumnBuffer(SegmentAllocator memory, List<ArrowField> memberFields) {
        nulls = new NullBits(memory);
        members = memberFields.stream().map(field -> of(field, memory)).toArray(ColumnBuffer[]::new);
    }

    /// @param memory allocates the memory
    static ColumnBuffer of(ArrowField field, SegmentAllocator memory) {
        return switch (field.type()) {
            case ColumnType.Fixed fixed when fixed.kind() == NumberKind.BOOLEAN -> new BooleanBuffer(fixed, memory);
            case ColumnType.Fixed fixed -> new NumberBuffer(fixed, memory);
            case ColumnType.Text text -> field.dictionary()
                    .<ColumnBuffer>map(dictionary -> new TextDictionaryBuffer(text.type(), dictionary.texts(), memory))
                    .orElseGet(() -> new TextBuffer(text.type(), memory));
            case ColumnType.Constant constant when field.dictionary().isPresent() -> new EnumBuffer(constant, memory);
            case ColumnType.Constant constant -> new EnumNameBuffer(constant, memory);
            case ColumnType.Array array when array.isList() -> new ListBuffer(field, array, memory);
            case ColumnType.Array array -> new ArrayBuffer(field, array, memory);
            case ColumnType.Struct struct -> new StructBuffer(field, struct, memory);
            case ColumnType.Union union -> new UnionBuffer(field, union, memory);
        };
    }

    /// Begins a batch.
    void begin() {
        nulls.begin();
        for (ColumnBuffer member : members) {
            member.begin();
        }
    }

    /// Reserves memory for values whose number is known, so that it need not grow.
    void reserve(long length) {
        for (ColumnBuffer member : members) {
            member.reserve(length);
        }
    }

    /// Copies values to consecutive indices.
    ///
    /// @param at           the offset of the first value in the segment
    /// @param stride       the number of bytes from a value to the next one
    /// @param index        the index of the first value in the batch
    /// @param struct       the offset of the innermost struct that contains the first value
    /// @param structStride the number of bytes from this struct to the struct that contains the next value
    /// @throws ConversionFailure if bytes are no value of the type
    final void write(MemorySegment from, long at, long stride, int count, long index, long struct,
            long structStride) {
        nulls.setValid(index, count);
        copy(from, at, stride, count, index, struct, structStride);
    }

    abstract void copy(MemorySegment from, long at, long stride, int count, long index, long struct,
            long structStride);

    /// Sets a value, and all values within it, to null.
    void setNull(long index) {
        nulls.setNull(index);
        for (ColumnBuffer member : members) {
            member.setNull(index);
        }
    }

    /// Adds the column to a batch, in the order of the format: first the column itself, then its children.
    ///
    /// @param length the number of values
    void collect(long length, BatchBuffers to) {
        nulls.collect(length, to);
        for (ColumnBuffer member : members) {
            member.collect(length, to);
        }
    }
}
