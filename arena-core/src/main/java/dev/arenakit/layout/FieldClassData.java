package dev.arenakit.layout;

import dev.arenakit.layout.type.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/// The class data of a copy of [IntFieldTemplate] or [LongFieldTemplate].
///
/// @param handle takes a segment and the offset of a struct
/// @param field  the field
/// @param mapper the mapper of the struct
record FieldClassData(VarHandle handle, Field field, RecordMapper<?> mapper) {
    /// @throws IllegalArgumentException if the field has another type
    static FieldClassData of(Field field, RecordMapper<?> mapper, Class<?> carrier) {
        if (!(field.type() instanceof ValueType value) || value.carrier() != carrier) {
            throw field.wrongType(carrier);
        }
        return new FieldClassData(field.varHandle(), field, mapper);
    }

    /// Returns the offset of a struct. The product cannot overflow; the VarHandle checks that the struct is within the
    /// segment.
    long offset(long index) {
        return Objects.checkIndex(index, Long.MAX_VALUE / mapper.byteSize()) * mapper.byteSize();
    }

    RuntimeException atOffset(RuntimeException e, MemorySegment segment, long byteOffset) {
        return AccessExceptions.writeAtOffset(e, mapper, segment, byteOffset);
    }

    RuntimeException atIndex(RuntimeException e, MemorySegment segment, long index) {
        return AccessExceptions.writeAtIndex(e, mapper, segment, index);
    }
}
