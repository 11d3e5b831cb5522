package dev.arenakit.internal.layout.value;

import java.lang.foreign.MemorySegment;

/// A nested record with too many components for the generated code of the outer record.
///
/// The outer record is large, and it is written to an array first. If some bytes must not change, the array contains
/// them.
///
/// @param record the codec of the record, which requires no alignment
/// @param offset the offset of the nested struct
/// @param where  class and component, for messages
public record NestedRecordCodec(RecordCodec record, long offset, String where) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        return record.get(segment, base + offset);
    }

    @Override
    public MemorySegment prepare(MemorySegment segment, long base, Object value) {
        MemorySegment copy = MemorySegment.ofArray(new byte[(int) record.byteSize()]);
        MemorySegment.copy(segment, base + offset, copy, 0, copy.byteSize());
        record.set(copy, 0, ValueChecks.required(value, where));
        return copy;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        MemorySegment copy = (MemorySegment) prepared;
        MemorySegment.copy(copy, 0, segment, base + offset, copy.byteSize());
    }
}
