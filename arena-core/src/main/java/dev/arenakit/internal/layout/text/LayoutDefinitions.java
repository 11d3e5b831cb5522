package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The named types that a struct refers to. A text declares each of them once.
///
/// If several types have the same name, one type is declared, preferably a type whose members are aligned as in C.
/// Copies of this type with other alignments, as they occur in packed structs, refer to the declaration too, and the
/// type that a copy was made from is declared even if only copies occur. Other types of the same name are written in
/// place. Types without a name are also written in place, and so are types that have the name of the struct itself,
/// which is declared last.
final class LayoutDefinitions {
    /// The largest depth of nesting. No program exceeds it, and recursion on a stack of 512 KiB can handle it.
    static final int MAX_DEPTH = 64;
    /// The largest number of types and constants of enums in a text. It bounds the time and memory for the text.
    static final int MAX_PARTS = 1 << 18;

    private static final Comparator<MemoryType> PLAINEST_FIRST = Comparator
            .comparingLong((MemoryType type) -> -largestAlignment(membersOf(type)))
            .thenComparingLong(MemoryType::byteAlignment);

    /// The definitions of no struct.
    static final LayoutDefinitions NONE = new LayoutDefinitions();

    private final Map<String, MemoryType> byName = new HashMap<>();
    private final Map<String, MemoryType> inOrder = new LinkedHashMap<>();
    private int parts;

    private LayoutDefinitions() {}

    /// @throws IllegalArgumentException if the struct is nested too deeply or has too many parts
    static LayoutDefinitions of(StructType root) {
        LayoutDefinitions definitions = new LayoutDefinitions();
        definitions.collect(root, 1);
        definitions.byName.remove(root.name());
        root.members().forEach(member -> definitions.arrange(member.type()));
        return definitions;
    }

    /// The types to be declared, each after the types that it refers to.
    Collection<MemoryType> inOrder() {
        return inOrder.values();
    }

    /// The definition that a struct, union or enum refers to, or empty if it is written in place.
    Optional<MemoryType> of(MemoryType type) {
        MemoryType definition = byName.get(nameOf(type));
        if (definition == null) {
            return Optional.empty();
        }
        boolean same = type instanceof EnumType
                ? definition.equals(declared(type))
                : definition.withByteAlignment(type.byteAlignment()).equals(type);
        return same ? Optional.of(definition) : Optional.empty();
    }

    /// Returns a type as it is declared. The references to an enum specify its byte order and alignment, and the
    /// references to a struct or union its alignment.
    static MemoryType declared(MemoryType type) {
        return switch (type) {
            case EnumType constants -> constants.withOrder(ByteOrder.LITTLE_ENDIAN)
                    .withByteAlignment(constants.byteSize());
            case StructType struct -> struct.declared()
                    .filter(declared -> declared.withByteAlignment(struct.byteAlignment()).equals(struct))
                    .orElse(struct);
            case UnionType union -> union.declared()
                    .filter(declared -> declared.withByteAlignment(union.byteAlignment()).equals(union))
                    .orElse(union);
            case ValueType _,UnsignedType _,BitFieldType _,StringType _,AddressType _,ArrayType _ -> type;
        };
    }

    static String nameOf(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.name();
            case UnionType union -> union.name();
            case EnumType constants -> constants.name();
            case ValueType _,UnsignedType _,BitFieldType _,StringType _,AddressType _,ArrayType _ -> "";
        };
    }

    static List<Member> membersOf(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members();
            case UnionType union -> union.members();
            case EnumType _,ValueType _,UnsignedType _,BitFieldType _,StringType _,AddressType _,ArrayType _ ->
                List.of();
        };
    }

    private void collect(MemoryType type, int depth) {
        if (type instanceof BitFieldType bits) {
            collect(declared(bits.declared()), depth);
            return;
        }
        parts += 1 + (type instanceof EnumType constants ? constants.constants().size() : 0);
        if (depth > MAX_DEPTH || parts > MAX_PARTS) {
            throw new IllegalArgumentException(
                    "Type is too large for a text: depth=" + depth + ", maxDepth=" + MAX_DEPTH
                            + ", parts=" + parts + ", maxParts=" + MAX_PARTS);
        }
        switch (type) {
            case ArrayType array -> collect(declared(array.element()), depth + 1);
            case AddressType address -> address.target().ifPresent(target -> collect(declared(target), depth + 1));
            case StructType _,UnionType _ ->
                membersOf(type).forEach(member -> collect(declared(member.type()), depth + 1));
            case EnumType _,ValueType _,UnsignedType _,BitFieldType _,StringType _ -> {
            }
        }
        if (!nameOf(type).isEmpty()) {
            byName.merge(nameOf(type), type, (first, second) -> PLAINEST_FIRST.compare(first, second) <= 0
                    ? first
                    : second);
        }
    }

    private void arrange(MemoryType type) {
        Optional<MemoryType> definition = of(type);
        if (definition.isPresent() && inOrder.containsKey(nameOf(type))) {
            return;
        }
        MemoryType arranged = definition.orElse(type);
        switch (arranged) {
            case ArrayType array -> arrange(array.element());
            case AddressType address -> address.target().ifPresent(this::arrange);
            case BitFieldType bits -> arrange(bits.declared());
            case StructType _,UnionType _ -> membersOf(arranged).forEach(member -> arrange(member.type()));
            case EnumType _,ValueType _,UnsignedType _,StringType _ -> {
            }
        }
        definition.ifPresent(named -> inOrder.put(nameOf(named), named));
    }

    /// The largest alignment of the members in bytes, which is the alignment of the struct or union in C.
    static long largestAlignment(List<Member> members) {
        return members.stream().mapToLong(member -> declaredAlignment(member.type())).max().orElse(1);
    }

    /// The alignment of a member, or of the declared type of a bit field.
    static long declaredAlignment(MemoryType type) {
        return type instanceof BitFieldType bits ? bits.declared().byteAlignment() : type.byteAlignment();
    }
}
