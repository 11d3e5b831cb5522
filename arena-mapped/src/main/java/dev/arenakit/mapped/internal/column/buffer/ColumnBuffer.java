package dev.arenakit.mapped.internal.column.buffer;

import dev.arenakit.mapped.internal.column.ColumnType;
import dev.arenakit.mapped.internal.column.ConversionFailure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// The values of a column in a batch, in the physical layout of
/// [Apache Arrow](https://arrow.apache.org/docs/format/Columnar.html#physical-memory-layout), in native byte order. All
/// batches use the same memory.
///
/// A value may be written anew if a later value of the same row is refused: where a value stands depends on its index
/// and on the values before it only.
public abstract sealed class ColumnBuffer
        permits
        BitBuffer,
        FixedBuffer,
        VariableBuffer,
        ListBuffer,
        ArrayBuffer,
        StructBuffer {
    private final NullBits nulls;
    final ColumnBuffer[] children;

    ColumnBuffer(ColumnType type, SegmentAllocator memory) {
        nulls = new NullBits(memory);
        children = type.children().stream().map(child -> of(child.type(), memory)).toArray(ColumnBuffer[]::new);
    }

    /// @param memory allocates the memory
    static ColumnBuffer of(ColumnType type, SegmentAllocator memory) {
        return switch (type) {
            case ColumnType.Fixed fixed when fixed.isBit() -> new BitBuffer(fixed, memory);
            case ColumnType.Fixed fixed -> new NumberBuffer(fixed, memory);
            case ColumnType.Text text when text.dictionary().isPresent() ->
                IndexBuffer.of(text, text.dictionary().get(), memory);
            case ColumnType.Text text when text.isView() -> new TextViewBuffer(text, memory);
            case ColumnType.Text text -> VariableBuffer.of(text, memory);
            case ColumnType.Constant constant when constant.indexByteSize() == 0 ->
                VariableBuffer.of(constant, memory);
            case ColumnType.Constant constant -> IndexBuffer.of(constant, memory);
            case ColumnType.Array array when array.isList() -> new ListBuffer(array, memory);
            case ColumnType.Array array -> new ArrayBuffer(array, memory);
            case ColumnType.Struct struct -> new StructBuffer(struct, memory);
            case ColumnType.Union union -> new UnionBuffer(union, memory);
        };
    }

    /// Uses the caller's memory for the values of the next batch, if all values have the same size. The caller passes
    /// other memory before each batch.
    public void useMemory(MemorySegment memory) {
        // Values of other columns have memory that grows.
    }

    /// Begins a batch.
    void begin() {
        nulls.begin();
        for (ColumnBuffer child : children) {
            child.begin();
        }
    }

    /// Reserves memory for values whose number is known, so that it need not grow.
    void reserve(long length) {
        for (ColumnBuffer child : children) {
            child.reserve(length);
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
    }

    /// The number of nulls.
    ///
    /// @param length the number of values
    public final long nullCount(long length) {
        return nulls.count(length);
    }

    /// The buffers in the order of the format. The first one has the bits that tell values from nulls; it is empty if no
    /// value is null. A later write may move and overwrite them.
    ///
    /// @param length the number of values
    public final List<MemorySegment> buffers(long length) {
        List<MemorySegment> buffers = new ArrayList<>();
        buffers.add(nulls.bits(length));
        addBuffers(length, buffers);
        return buffers;
    }

    /// Adds the buffers of the values.
    abstract void addBuffers(long length, List<MemorySegment> to);

    /// The elements of an array, or the members of a struct or union.
    public final ColumnBuffer child(int index) {
        return children[index];
    }

    public final int childCount() {
        return children.length;
    }

    /// The number of values of each child.
    ///
    /// @param length the number of values of this column
    public long childLength(long length) {
        return length;
    }
}
