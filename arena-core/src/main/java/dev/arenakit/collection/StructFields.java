package dev.arenakit.collection;

import dev.arenakit.layout.Field;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.layout.type.StructType;

/// The fields of the structs in a structure.
@SuppressWarnings("ReferenceEquality") // An access must not compare all members.
final class StructFields {
    private final RecordMapper<?> mapper;
    /// The structs whose fields have been accepted last. Threads that race only compare once more.
    private StructType accepted;
    private StructType acceptedBefore;

    StructFields(RecordMapper<?> mapper) {
        this.mapper = mapper;
        accepted = mapper.type();
        acceptedBefore = accepted;
    }

    /// Checks that a field is one of the structs. It may be from another mapper, for example that of a view.
    ///
    /// @throws IllegalArgumentException if it is not
    void check(Field field) {
        StructType struct = field.struct();
        if (struct != accepted && struct != acceptedBefore) {
            compare(field, struct);
        }
    }

    private void compare(Field field, StructType struct) {
        // A mapper has a type of its own if there are addresses, and the struct of a view may have another name.
        StructType type = mapper.type();
        StructType own = mapper.field(type.members().getFirst().name()).struct();
        if (struct != own && !(struct.byteSize() == type.byteSize() && (struct.members().equals(type.members())
                || struct.members().equals(own.members())))) {
            throw new IllegalArgumentException("Not a field of the structs: " + field + ", struct=" + type.name());
        }
        acceptedBefore = accepted;
        accepted = struct;
    }
}
