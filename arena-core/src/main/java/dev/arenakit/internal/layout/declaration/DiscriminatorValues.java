package dev.arenakit.internal.layout.declaration;

import dev.arenakit.layout.annotation.Otherwise;
import dev.arenakit.layout.annotation.Value;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StoredInteger;
import java.util.ArrayList;
import java.util.List;

/// The values of the discriminator of a union: one or more for each record that the union permits.
final class DiscriminatorValues {
    private DiscriminatorValues() {}

    /// Returns the values for the permitted records, in their order, without a record with [Otherwise].
    ///
    /// @param union         the union
    /// @param discriminator the component that identifies the record
    static List<List<Long>> of(ComponentDeclaration union, ComponentDeclaration discriminator) {
        MemoryType type = LeafTypes.number(discriminator)
                .orElseThrow(() -> union.refusal("@Union names a component that cannot be a discriminator",
                        "\"" + discriminator.javaName() + "\" is of type " + discriminator.type().getTypeName()
                                + "; it takes an integer or an enum"));
        List<List<Long>> values = new ArrayList<>();
        List<Class<?>> permitted = UnionRecords.of(union.type());
        for (Class<?> record : permitted) {
            Value annotation = record.getAnnotation(Value.class);
            if (UnionRecords.isOtherwise(record)) {
                checkOtherwise(union, record, permitted.getLast(), annotation != null);
                continue;
            }
            long[] ofRecord = annotation != null
                    ? annotation.value()
                    : new long[]{atPosition(union, record, values.size(), type)};
            List<Long> boxed = new ArrayList<>();
            for (long value : ofRecord) {
                if (!holds(type, value)) {
                    throw union.refusal("Discriminator cannot have the value of a permitted record", "record="
                            + record.getName() + ", value=" + value + ", component=" + discriminator.javaName()
                            + ", component.type=" + discriminator.type().getTypeName());
                }
                boxed.add(value);
            }
            values.add(boxed);
        }
        return values;
    }

    private static void checkOtherwise(ComponentDeclaration union, Class<?> record, Class<?> last, boolean hasValue) {
        if (record != last || hasValue) {
            throw union.refusal("@Otherwise does not apply", "remove it from " + record.getName()
                    + (hasValue ? ", or its @Value" : "; another record has it"));
        }
    }

    private static long atPosition(ComponentDeclaration union, Class<?> permitted, int position, MemoryType type) {
        if (!(enumOf(type) instanceof EnumType asEnum)) {
            return position;
        }
        List<EnumType.Constant> constants = asEnum.constants();
        if (position >= constants.size()) {
            throw union.refusal("Enum has no constant for a permitted record", "record=" + permitted.getName()
                    + ", enum=" + asEnum.name() + ", constants=" + constants.size()
                    + "; add a constant, or @Value to the record");
        }
        return constants.get(position).value();
    }

    private static boolean holds(MemoryType type, long value) {
        if (enumOf(type) instanceof EnumType asEnum) {
            return asEnum.constants().stream().anyMatch(constant -> constant.value() == value);
        }
        StoredInteger integer = type.integer().orElseThrow();
        return integer.bitSize() == Long.SIZE || (value >= integer.min() && value <= integer.max());
    }

    private static MemoryType enumOf(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.declared() : type;
    }
}
