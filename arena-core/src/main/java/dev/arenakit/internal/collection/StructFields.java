package dev.arenakit.internal.collection;

import dev.arenakit.layout.type.StructType;
import java.util.function.Supplier;

/// Checks that fields belong to the structs of a collection.
@SuppressWarnings("ReferenceEquality") // An access must not compare all members.
public final class StructFields {
    private final StructType type;
    private final Supplier<StructType> fieldType;
    /// The struct types whose fields were accepted last. A race between threads only makes a thread compare once more.
    private StructType accepted;
    private StructType acceptedBefore;

    /// @param type      the type of the structs
    /// @param fieldType returns the struct type of the fields of the structs' own mapper. It differs from the type if
    ///                  there are addresses
    public StructFields(StructType type, Supplier<StructType> fieldType) {
        this.type = type;
        this.fieldType = fieldType;
        accepted = type;
        acceptedBefore = type;
    }

    /// Checks that a field belongs to the structs. It may be from another mapper, for example the mapper of a view.
    ///
    /// @param struct the struct type of the field
    /// @param field  the field, for the message
    /// @throws IllegalArgumentException if the field belongs to other structs
    public void check(StructType struct, Object field) {
        if (struct != accepted && struct != acceptedBefore) {
            compare(struct, field);
        }
    }

    private void compare(StructType struct, Object field) {
        // The struct type of a view may have another name.
        StructType own = fieldType.get();
        if (struct != own && !(struct.byteSize() == type.byteSize() && (struct.members().equals(type.members())
                || struct.members().equals(own.members())))) {
            throw new IllegalArgumentException("Not a field of the structs: " + field + ", struct=" + type.name());
        }
        acceptedBefore = accepted;
        accepted = struct;
    }
}
