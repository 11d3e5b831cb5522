package dev.arenakit.internal.layout.value;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;

/// An array of records.
///
/// A write first writes all records to a copy of the array, so that no byte of the segment changes if a record does not
/// fit.
///
/// @param type    the class of the records
/// @param record  the codec of the records, which requires no alignment
/// @param ranges  the bytes of a record that change
/// @param length  the number of records
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
public record RecordArrayCodec(Class<?> type, RecordCodec record, RecordRanges ranges, int length, long offset,
        String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = record.get(segment, base + offset + i * record.byteSize());
        }
        return array;
    }

    @Override
    public MemorySegment prepare(MemorySegment segment, long base, Object value) {
        Object[] array = (Object[]) ValueChecks.array(value, length, where);
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) (length * record.byteSize())]);
        if (ranges.partial()) {
            MemorySegment.copy(segment, base + offset, copy, 0, copy.byteSize());
        }
        for (int i = 0; i < length; i++) {
            record.set(copy, i * record.byteSize(), ValueChecks.required(array[i], where));
        }
        return copy;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        MemorySegment copy = (MemorySegment) prepared;
        if (!ranges.partial()) {
            MemorySegment.copy(copy, 0, segment, base + offset, copy.byteSize());
            return;
        }
        for (long i = 0; i < copy.byteSize(); i += record.byteSize()) {
            ranges.copy(copy, i, segment, base + offset + i);
        }
    }

    @Override
    public RecordArrayCodec withLength(int other) {
        return new RecordArrayCodec(type, record, ranges, other, offset, where);
    }
}
