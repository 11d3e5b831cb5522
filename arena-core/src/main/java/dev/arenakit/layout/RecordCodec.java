package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A record in a record, which has too many components to be read and written by the code of the outer one.
///
/// @param mapper maps the record, at any address
/// @param offset where it stands in the struct
/// @param where  names class and component
record RecordCodec(RecordMapper<Object> mapper, long offset, String where) implements ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        return mapper.getAt(segment, base + offset);
    }

    @Override
    public byte[] prepare(Object value) {
        byte[] bytes = new byte[(int) mapper.byteSize()];
        mapper.setAt(MemorySegment.ofArray(bytes), 0, Components.required(value, where));
        return bytes;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        byte[] bytes = (byte[]) prepared;
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
    }
}
