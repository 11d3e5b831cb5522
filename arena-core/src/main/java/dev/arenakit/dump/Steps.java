package dev.arenakit.dump;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.ValueType;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// Makes the steps of types, one of each: a type that is used in many places is prepared once.
final class Steps {
    private final IdentityHashMap<MemoryType, Step> known = new IdentityHashMap<>();

    StructStep struct(StructType type) {
        return new StructStep(type, of(type.members()));
    }

    private Step[] of(List<Member> members) {
        return members.stream().map(member -> of(member.type())).toArray(Step[]::new);
    }

    private Step of(MemoryType type) {
        Step step = known.get(type);
        if (step == null) {
            step = make(type);
            known.put(type, step);
        }
        return step;
    }

    private Step make(MemoryType type) {
        return switch (type) {
            case ValueType value -> new Step.Value(value.carrier().descriptorString().charAt(0),
                    (int) value.byteSize(), value.order());
            case EnumType constants -> new Step.Constant(constants, (int) constants.byteSize(),
                    constants.value().order(), constants.constants()
                            .stream()
                            .collect(Collectors.toMap(EnumType.Constant::value, EnumType.Constant::name)));
            case AddressType address -> new Step.Address(address.order());
            case StringType string -> new Step.Text(string);
            case ArrayType array -> new Step.Array(array, of(array.element()));
            case StructType struct -> struct(struct);
            case UnionType union -> new UnionStep(union, of(union.members()));
        };
    }
}
