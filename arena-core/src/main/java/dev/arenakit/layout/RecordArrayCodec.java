package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/// An array of records.
///
/// They are prepared in an array of bytes: when one of them cannot be written, nothing has been written.
///
/// @param type   the class of the records
/// @param mapper maps a record, at any address
/// @param length the number of records
/// @param offset where the array begins in the struct
/// @param where  names class and component
record RecordArrayCodec(Class<?> type, RecordMapper<Object> mapper, int length, long offset, String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = mapper.getAt(segment, base + offset + i * mapper.byteSize());
        }
        return array;
    }

    @Override
    public byte[] prepare(Object value) {
        Object[] array = (Object[]) Components.array(value, length, where);
        byte[] bytes = new byte[(int) (length * mapper.byteSize())];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (int i = 0; i < length; i++) {
            mapper.setAt(segment, i * mapper.byteSize(), Components.required(array[i], where));
        }
        return bytes;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        byte[] bytes = (byte[]) prepared;
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
    }
}
