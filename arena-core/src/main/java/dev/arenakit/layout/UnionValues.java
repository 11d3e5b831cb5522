package dev.arenakit.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which value tells that which record of a union is there.
final class UnionValues {
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    private UnionValues() {}

    /// The name of a union's member in C: that of the record, beginning in lower case.
    static String memberName(Class<?> permitted) {
        String name = permitted.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /// The values for the records that the type of the union permits, in their order.
    ///
    /// @param union   the union
    /// @param tells   the component that tells which record it is
    /// @param asEnum  the type of the latter, where it is an enum
    static List<Long> of(Part union, Part tells, Optional<EnumType> asEnum) {
        if (asEnum.isEmpty() && !INTEGERS.contains(tells.type())) {
            throw union.refusal("@Union names a component that cannot tell", "\"" + tells.javaName() + "\" is of type "
                    + tells.type().getTypeName() + "; it takes an integer or an enum");
        }
        List<Long> values = new ArrayList<>();
        for (Class<?> permitted : union.type().getPermittedSubclasses()) {
            Value annotation = permitted.getAnnotation(Value.class);
            long value = annotation != null ? annotation.value() : atPosition(union, permitted, values.size(), asEnum);
            if (asEnum.isPresent() ? !holds(asEnum.get(), value) : !holds(tells.type(), value)) {
                throw union.refusal("Value of a permitted record never stands in the component that tells", "record="
                        + permitted.getName() + ", value=" + value + ", component=" + tells.javaName()
                        + ", component.type=" + tells.type().getTypeName());
            }
            values.add(value);
        }
        return values;
    }

    private static long atPosition(Part union, Class<?> permitted, int position, Optional<EnumType> asEnum) {
        if (asEnum.isEmpty()) {
            return position;
        }
        List<EnumType.Constant> constants = asEnum.get().constants();
        if (position >= constants.size()) {
            throw union.refusal("Enum has no constant for a permitted record", "record=" + permitted.getName()
                    + ", enum=" + asEnum.get().name() + ", constants=" + constants.size()
                    + "; add a constant, or @Value to the record");
        }
        return constants.get(position).value();
    }

    private static boolean holds(EnumType type, long value) {
        return type.constants().stream().anyMatch(constant -> constant.value() == value);
    }

    private static boolean holds(Class<?> integer, long value) {
        if (integer == char.class) {
            return value == (char) value;
        }
        int shift = Long.SIZE - Byte.SIZE * (int) ValueType.of(integer).byteSize();
        return value << shift >> shift == value;
    }
}
