package dev.arenakit.layout;

import java.util.List;

/// The constants of an enum and their values in memory.
///
/// @param constants the constants
/// @param table     their values
/// @param where     names class and component
record EnumCodec(List<Object> constants, ValueTable table, String where) {
    static EnumCodec of(Class<?> type, EnumType memory, String where) {
        return new EnumCodec(List.of(type.getEnumConstants()),
                ValueTable.of(memory.constants().stream().map(EnumType.Constant::value).toList(), where), where);
    }

    /// @throws IllegalArgumentException when the value stands for no constant
    Object constant(long value) {
        return constants.get(table.position(value));
    }

    @SuppressWarnings("EnumOrdinal") // The table is ordered as the constants are.
    long value(Object constant) {
        return table.value(((Enum<?>) Components.required(constant, where)).ordinal());
    }
}
