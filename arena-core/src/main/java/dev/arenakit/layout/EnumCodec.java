package dev.arenakit.layout;

import dev.arenakit.layout.type.EnumType;
import java.util.List;

/// The constants of an enum and their values in memory.
///
/// @param constants the constants in declaration order
/// @param table     their values
/// @param where     class and component, for messages
record EnumCodec(List<Object> constants, OrdinalTable table, String where) {
    /// @throws IllegalArgumentException if the constants of the enum are not those in memory
    static EnumCodec of(ComponentDeclaration component, EnumType memory) {
        if (!new ClassAnnotations(component.type()).constants().equals(memory.constants())) {
            throw component.disagreement(memory);
        }
        return new EnumCodec(List.of(component.type().getEnumConstants()), OrdinalTable
                .of(memory.constants().stream().map(EnumType.Constant::value).toList(), component.where()),
                component.where());
    }

    /// @throws IllegalArgumentException if no constant has the value
    Object constant(long value) {
        return constants.get(table.position(value));
    }

    @SuppressWarnings("EnumOrdinal") // The table has the order of the constants.
    long value(Object constant) {
        return table.value(((Enum<?>) ValueChecks.required(constant, where)).ordinal());
    }
}
