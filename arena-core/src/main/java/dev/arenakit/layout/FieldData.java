package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/// The constants of a class that accesses one field.
///
/// @param handle takes a segment and the offset of a struct
/// @param field  the field
/// @param mapper the mapper of the struct
record FieldData(VarHandle handle, Field field, RecordMapper<?> mapper) {
    /// @throws IllegalArgumentException when the field is of another type
    static FieldData of(Field field, RecordMapper<?> mapper, Class<?> carrier) {
        if (!(field.type() instanceof ValueType value) || value.carrier() != carrier) {
            throw field.refusal("Field is of another type: expected=" + carrier.getName(),
                    "read it through the record, a view or field(path).varHandle()");
        }
        return new FieldData(field.varHandleAtOffset(), field, mapper);
    }

    /// The offset of a struct. The product cannot overflow; whether it is within a segment is checked by the handle.
    long offset(long index) {
        return Objects.checkIndex(index, Long.MAX_VALUE / mapper.byteSize()) * mapper.byteSize();
    }

    RuntimeException explained(RuntimeException e, MemorySegment segment, long index) {
        return AccessFailures.atIndex(e, mapper, segment, index);
    }
}
