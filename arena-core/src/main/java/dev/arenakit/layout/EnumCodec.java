package dev.arenakit.layout;

import dev.arenakit.layout.type.EnumType;
import java.util.ArrayList;
import java.util.List;

/// The constants of an enum and their values in memory.
///
/// @param constants the constants in declaration order
/// @param table     their values
/// @param mask      the bits of a value: values of an unsigned type may have further bits
/// @param where     class and component, for messages
@SuppressWarnings("ArrayRecordComponent") // Codecs are not compared.
record EnumCodec(Object[] constants, OrdinalTable table, long mask, String where) {
    /// @throws IllegalArgumentException if the constants of the enum are not those in memory
    static EnumCodec of(ComponentDeclaration component, EnumType memory) {
        EnumConstants declared = EnumConstants.of(component.type());
        if (!declared.constants().equals(memory.constants()) || !declared.otherwise().equals(memory.otherwise())) {
            throw component.disagreement(memory);
        }
        List<Long> values = new ArrayList<>(memory.constants().stream().map(EnumType.Constant::value).toList());
        if (declared.otherwisePosition() >= 0) {
            values.add(declared.otherwisePosition(), 0L);
        }
        long mask = memory.isUnsigned() ? -1L >>> (Long.SIZE - Byte.SIZE * memory.byteSize()) : -1;
        return new EnumCodec(component.type().getEnumConstants(),
                OrdinalTable.of(values, declared.otherwisePosition(), component.where()), mask, component.where());
    }

    /// @throws IllegalArgumentException if no constant has the value
    Object constant(long value) {
        return constants[table.position(value & mask)];
    }

    /// @throws IllegalArgumentException if the constant stands for values that have none of their own
    @SuppressWarnings("EnumOrdinal") // The table has the order of the constants.
    long value(Object constant) {
        int position = ((Enum<?>) ValueChecks.required(constant, where)).ordinal();
        if (position == table.otherwise()) {
            throw unknown(constant);
        }
        return table.value(position);
    }

    private IllegalArgumentException unknown(Object constant) {
        return new IllegalArgumentException("Constant has no value of its own: " + where + ", constant=" + constant
                + "; @Otherwise stands for all values that have no constant");
    }
}
