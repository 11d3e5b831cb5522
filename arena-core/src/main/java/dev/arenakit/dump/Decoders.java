package dev.arenakit.dump;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;

/// Creates the decoders of types. A type that is used in many places has one decoder.
final class Decoders {
    private final IdentityHashMap<MemoryType, Decoder> known = new IdentityHashMap<>();

    StructDecoder struct(StructType type) {
        return new StructDecoder(type, of(type.members()));
    }

    private Decoder[] of(List<Member> members) {
        return members.stream().map(member -> of(member.type())).toArray(Decoder[]::new);
    }

    private Decoder of(MemoryType type) {
        Decoder decoder = known.get(type);
        if (decoder == null) {
            decoder = create(type);
            known.put(type, decoder);
        }
        return decoder;
    }

    private Decoder create(MemoryType type) {
        return switch (type) {
            case ValueType value -> new Decoder.Value(value.carrier().descriptorString().charAt(0),
                    (int) value.byteSize(), value.order());
            case EnumType constants -> new Decoder.Constant(constants, (int) constants.byteSize(),
                    constants.value().order(), constants.constants()
                            .stream()
                            .collect(Collectors.toMap(EnumType.Constant::value, EnumType.Constant::name)));
            case AddressType address -> new Decoder.Address(address.order());
            case StringType string -> new Decoder.Text(string);
            case ArrayType array -> new Decoder.Array(array, of(array.element()));
            case StructType struct -> struct(struct);
            case UnionType union -> new UnionDecoder(union, of(union.members()));
        };
    }
}
