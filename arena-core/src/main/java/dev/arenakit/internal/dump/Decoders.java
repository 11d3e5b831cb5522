package dev.arenakit.internal.dump;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Creates the decoders of types. A type that is used in many places has one decoder.
final class Decoders {
    private final IdentityHashMap<MemoryType, Decoder> known = new IdentityHashMap<>();

    private final StructType root;
    private final ToLongFunction<String> bases;

    /// @param root  the type of the outermost structs
    /// @param bases the sizes of allocations by their names, and of the memory that is shown by ""
    Decoders(StructType root, ToLongFunction<String> bases) {
        this.root = root;
        this.bases = bases;
    }

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
                    StoredInteger.ofBits(value));
            case UnsignedType _ -> new Decoder.Unsigned(type.integer().orElseThrow());
            case BitFieldType bits when bits.declared() instanceof EnumType constants -> constant(constants, bits);
            case BitFieldType bits -> new Decoder.Bits(bits.integer().orElseThrow(),
                    bits.declared() instanceof ValueType value && value.carrier() == boolean.class);
            case EnumType constants -> constant(constants, constants);
            case AddressType address -> new Decoder.Address(StoredInteger.ofBits(address));
            case RefType reference -> new Decoder.Reference(reference, StoredInteger.ofBits(reference),
                    reference.isArray(root), bases.applyAsLong(reference.allocation().orElse("")));
            case StringType string -> new Decoder.Text(string);
            case ArrayType array -> new Decoder.Array(array, of(array.element()));
            case StructType struct -> struct(struct);
            case UnionType union -> new UnionDecoder(union, of(union.members()));
        };
    }

    /// @param stored the enum itself, or a bit field of the enum
    private static Decoder constant(EnumType constants, MemoryType stored) {
        return new Decoder.Constant(constants, stored.integer().orElseThrow(), constants.constants()
                .stream()
                .collect(Collectors.toMap(EnumType.Constant::value, EnumType.Constant::name)));
    }
}
