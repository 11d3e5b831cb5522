package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;

/// An array of records.
///
/// All records are first written to a byte array, so that no byte of the segment changes if one of them does not fit.
///
/// @param type    the class of the records
/// @param mapper  the mapper of the records, which requires no alignment
/// @param partial whether the struct has members that the record does not have, whose bytes do not change
/// @param length  the number of records
/// @param offset  the offset of the array in the struct
/// @param where   class and component, for messages
record RecordArrayCodec(Class<?> type, RecordMapper<Object> mapper, boolean partial, int length, long offset,
        String where)
        implements
            ComponentCodec {
    @Override
    public Object read(MemorySegment segment, long base) {
        Object[] array = (Object[]) Array.newInstance(type, length);
        for (int i = 0; i < length; i++) {
            array[i] = mapper.get(segment, base + offset + i * mapper.byteSize());
        }
        return array;
    }

    @Override
    public Object prepare(Object value) {
        Object[] array = ((Object[]) ValueChecks.array(value, length, where)).clone();
        byte[] bytes = new byte[(int) (length * mapper.byteSize())];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        for (int i = 0; i < length; i++) {
            mapper.set(segment, i * mapper.byteSize(), ValueChecks.required(array[i], where));
        }
        return partial ? array : bytes;
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        if (prepared instanceof byte[] bytes) {
            MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
        } else {
            Object[] array = (Object[]) prepared;
            for (int i = 0; i < array.length; i++) {
                mapper.set(segment, base + offset + i * mapper.byteSize(), array[i]);
            }
        }
    }

    @Override
    public RecordArrayCodec withLength(int other) {
        return new RecordArrayCodec(type, mapper, partial, other, offset, where);
    }
}
