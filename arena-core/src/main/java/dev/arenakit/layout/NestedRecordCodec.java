package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A nested record with too many components for the generated code of the outer record.
///
/// @param mapper  the mapper of the record, which requires no alignment
/// @param partial whether the struct has members that the record does not have, whose bytes do not change
/// @param offset  the offset of the nested struct
/// @param where   class and component, for messages
record NestedRecordCodec(RecordMapper<Object> mapper, boolean partial, long offset,
        String where) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        return mapper.get(segment, base + offset);
    }

    @Override
    public Object prepare(Object value) {
        byte[] bytes = new byte[(int) mapper.byteSize()];
        mapper.set(MemorySegment.ofArray(bytes), 0, ValueChecks.required(value, where));
        return partial ? value : bytes;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        if (partial) {
            mapper.set(segment, base + offset, prepared);
        } else {
            byte[] bytes = (byte[]) prepared;
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
        }
    }
}
