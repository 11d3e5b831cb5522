package dev.arenakit.layout;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The values of the discriminator of a union: one for each record that the union permits.
final class DiscriminatorValues {
    private static final Set<Class<?>> INTEGERS = Set.of(byte.class, short.class, char.class, int.class, long.class);

    private DiscriminatorValues() {}

    /// Returns the name in C of the member for a record: the name of the record, with the first letter in lower case.
    static String memberName(Class<?> permitted) {
        String name = permitted.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    /// Returns the values for the permitted records, in their order.
    ///
    /// @param union         the union
    /// @param discriminator the component that identifies the record
    /// @param asEnum        the type of the discriminator, if it is an enum
    static List<Long> of(ComponentDeclaration union, ComponentDeclaration discriminator, Optional<EnumType> asEnum) {
        if (asEnum.isEmpty() && !INTEGERS.contains(discriminator.type())) {
            throw union.refusal("@Union names a component that cannot be a discriminator",
                    "\"" + discriminator.javaName() + "\" is of type "
                            + discriminator.type().getTypeName() + "; it takes an integer or an enum");
        }
        List<Long> values = new ArrayList<>();
        for (Class<?> permitted : union.type().getPermittedSubclasses()) {
            Value annotation = permitted.getAnnotation(Value.class);
            long value = annotation != null ? annotation.value() : atPosition(union, permitted, values.size(), asEnum);
            if (asEnum.isPresent() ? !holds(asEnum.get(), value) : !holds(discriminator.type(), value)) {
                throw union.refusal("Discriminator cannot have the value of a permitted record", "record="
                        + permitted.getName() + ", value=" + value + ", component=" + discriminator.javaName()
                        + ", component.type=" + discriminator.type().getTypeName());
            }
            values.add(value);
        }
        return values;
    }

    private static long atPosition(ComponentDeclaration union, Class<?> permitted, int position,
            Optional<EnumType> asEnum) {
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
