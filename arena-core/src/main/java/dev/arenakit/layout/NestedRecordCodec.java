package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// A nested record with too many components for the generated code of the outer record.
///
/// The outer record is large: it is written to an array that contains the bytes that must not change, if there are any.
///
/// @param mapper the mapper of the record, which requires no alignment
/// @param offset the offset of the nested struct
/// @param where  class and component, for messages
record NestedRecordCodec(RecordMapper<Object> mapper, long offset, String where) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        return mapper.get(segment, base + offset);
    }

    @Override
    public MemorySegment prepare(MemorySegment segment, long base, Object value) {
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) mapper.byteSize()]);
        MemorySegment.copy(segment, base + offset, copy, 0, copy.byteSize());
        mapper.set(copy, 0, ValueChecks.required(value, where));
        return copy;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        MemorySegment copy = (MemorySegment) prepared;
        MemorySegment.copy(copy, 0, segment, base + offset, copy.byteSize());
    }
}
