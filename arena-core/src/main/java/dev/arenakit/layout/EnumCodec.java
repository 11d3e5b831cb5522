package dev.arenakit.layout;

import dev.arenakit.layout.type.EnumType;

/// The constants of an enum and their values in memory.
///
/// @param constants the constants in declaration order
/// @param table     their values
/// @param where     class and component, for messages
@SuppressWarnings("ArrayRecordComponent") // Codecs are not compared.
record EnumCodec(Object[] constants, OrdinalTable table, String where) {
    /// @throws IllegalArgumentException if the constants of the enum are not those in memory
    static EnumCodec of(ComponentDeclaration component, EnumType memory) {
        if (!new ClassAnnotations(component.type()).constants().equals(memory.constants())) {
            throw component.disagreement(memory);
        }
        return new EnumCodec(component.type().getEnumConstants(), OrdinalTable
                .of(memory.constants().stream().map(EnumType.Constant::value).toList(), component.where()),
                component.where());
    }

    /// @throws IllegalArgumentException if no constant has the value
    Object constant(long value) {
        return constants[table.position(value)];
    }

    @SuppressWarnings("EnumOrdinal") // The table has the order of the constants.
    long value(Object constant) {
        return table.value(((Enum<?>) ValueChecks.required(constant, where)).ordinal());
    }
}
