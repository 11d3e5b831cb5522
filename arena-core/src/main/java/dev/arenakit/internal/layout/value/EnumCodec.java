package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.internal.layout.declaration.EnumConstants;
import dev.arenakit.layout.type.EnumType;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The constants of an enum and their values in memory.
///
/// @param constants the constants in declaration order
/// @param byValue   the constants by `value - table.first()`, or an empty array if their values are far from each other
/// @param table     their values
/// @param mask      the bits of a value: values of an unsigned type may have further bits
/// @param where     class and component, for messages
@SuppressWarnings("ArrayRecordComponent") // Codecs are not compared.
public record EnumCodec(Object[] constants, @Nullable Object[] byValue, OrdinalTable table, long mask, String where)
        implements
            NumberCodec {
    /// Returns the codec of a component that is an enum.
    ///
    /// @throws IllegalArgumentException if the enum and the type in memory have different constants
    public static EnumCodec of(ComponentDeclaration component, EnumType memory) {
        EnumConstants declared = EnumConstants.of(component.type());
        if (!same(declared.constants(), memory.constants()) || !declared.otherwise().equals(memory.otherwise())) {
            throw component.disagreement(memory);
        }
        List<List<Long>> values = new ArrayList<>();
        for (EnumType.Constant constant : memory.constants()) {
            values.add(List.of(constant.value()));
        }
        if (declared.otherwisePosition() >= 0) {
            values.add(declared.otherwisePosition(), List.of(0L));
        }
        long mask = memory.isUnsigned() ? -1L >>> (Long.SIZE - Byte.SIZE * memory.byteSize()) : -1;
        Object[] constants = component.type().getEnumConstants();
        OrdinalTable table = OrdinalTable.of(values, declared.otherwisePosition(), component.where());
        return new EnumCodec(constants, byValue(constants, table), table, mask, component.where());
    }

    /// Returns whether the constants are equal. The first call of `equals` of a record links its method, which takes a
    /// considerable part of the time of the first mapper.
    private static boolean same(List<EnumType.Constant> some, List<EnumType.Constant> others) {
        boolean same = some.size() == others.size();
        for (int i = 0; same && i < some.size(); i++) {
            same = some.get(i).name().equals(others.get(i).name()) && some.get(i).value() == others.get(i).value();
        }
        return same;
    }

    private static @Nullable Object[] byValue(Object[] constants, OrdinalTable table) {
        if (table.keys().length > 0) {
            return new Object[0];
        }
        // An array of the enum, so that the compiler knows the class of the elements.
        @Nullable
        Object[] byValue = (Object[]) Array.newInstance(constants.getClass().getComponentType(),
                table.positions().length);
        for (int i = 0; i < byValue.length; i++) {
            int position = table.positions()[i];
            byValue[i] = position < 0 ? null : constants[position];
        }
        return byValue;
    }

    @Override
    public Object decode(long stored) {
        long index = (stored & mask) - table.first();
        if (index >= 0 && index < byValue.length) {
            Object constant = byValue[(int) index];
            if (constant != null) {
                return constant;
            }
        }
        return constants[table.position(stored & mask)];
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // The table has the order of the constants.
    public long encode(Object constant) {
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
