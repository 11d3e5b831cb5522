package dev.arenakit.arrow.internal;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import dev.arenakit.mapped.internal.column.NumberKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

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
        TextDictionaryBuffer,
        ListBuffer,
        ArrayBuffer,
        StructBuffer,
        UnionBuffer {
    private final NullBits nulls;

    ColumnBuffer(Arena arena) {
        nulls = new NullBits(arena);
    }

    /// @param arena the lifetime of the memory
    static ColumnBuffer of(ArrowField field, Arena arena) {
        return switch (field.type()) {
            case ColumnType.Fixed fixed when fixed.kind() == NumberKind.BOOLEAN -> new BooleanBuffer(fixed, arena);
            case ColumnType.Fixed fixed -> new NumberBuffer(fixed, arena);
            case ColumnType.Text text -> field.dictionary()
                    .<ColumnBuffer>map(dictionary -> new TextDictionaryBuffer(text.type(), dictionary.texts(), arena))
                    .orElseGet(() -> new TextBuffer(text.type(), arena));
            case ColumnType.Constant constant -> new EnumBuffer(constant, arena);
            case ColumnType.Array array when array.isList() -> new ListBuffer(field, array, arena);
            case ColumnType.Array array -> new ArrayBuffer(field, array, arena);
            case ColumnType.Struct struct -> new StructBuffer(field, struct, arena);
            case ColumnType.Union union -> new UnionBuffer(field, union, arena);
        };
    }

    /// Begins a batch.
    void begin() {
        nulls.begin();
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
    }

    /// Adds the column to a batch, in the order of the format: first the column itself, then its children.
    ///
    /// @param length the number of values
    void collect(long length, BatchBuffers to) {
        nulls.collect(length, to);
    }
}
