package dev.arenakit.layout;

import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types with names that a struct is made of, which a text declares once and then refers to.
///
/// Where several types have one name, one of them is declared: one whose members are aligned as in C, if there is such. Copies of it at
/// other alignments, as packed structs hold them, refer to it too. Types of another content are written where they are used,
/// as those without a name are; so are those named like the struct itself, which is declared last.
final class Definitions {
    /// Deeper nesting than programs have, and shallow enough for recursion on stacks of 512 KiB.
    static final int DEEPEST = 64;
    /// What a text may describe, counted in types and constants of enums; keeps the time and memory for it within bounds.
    static final int MOST_PARTS = 1 << 18;

    private static final Comparator<MemoryType> PLAINEST_FIRST = Comparator
            .comparingLong((MemoryType type) -> -Types.largestAlignment(membersOf(type)))
            .thenComparingLong(MemoryType::byteAlignment);

    /// Of no struct.
    static final Definitions NONE = new Definitions();

    private final Map<String, MemoryType> byName = new HashMap<>();
    private final Map<String, MemoryType> inOrder = new LinkedHashMap<>();
    private int parts;

    private Definitions() {}

    /// @throws IllegalArgumentException when the struct is nested too deeply or has too many parts
    static Definitions of(StructType root) {
        Definitions definitions = new Definitions();
        definitions.collect(root, 1);
        definitions.byName.remove(root.name());
        root.members().forEach(member -> definitions.arrange(member.type()));
        return definitions;
    }

    /// The types to be declared, each after those that it refers to.
    Collection<MemoryType> inOrder() {
        return inOrder.values();
    }

    /// What a struct, union or enum refers to, or empty where it is written out in its place.
    Optional<MemoryType> of(MemoryType type) {
        MemoryType definition = byName.get(nameOf(type));
        if (definition == null) {
            return Optional.empty();
        }
        boolean same = type instanceof EnumType constants
                ? definition.equals(normal(constants))
                : definition.withByteAlignment(type.byteAlignment()).equals(type);
        return same ? Optional.of(definition) : Optional.empty();
    }

    /// An enum as it is declared: references say the order of the bytes and the alignment.
    static EnumType normal(EnumType type) {
        return new EnumType(type.name(), ValueType.of(type.value().carrier(), ByteOrder.LITTLE_ENDIAN),
                type.constants());
    }

    static String nameOf(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.name();
            case UnionType union -> union.name();
            case EnumType constants -> constants.name();
            case ValueType _,StringType _,AddressType _,ArrayType _ -> "";
        };
    }

    static List<Member> membersOf(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members();
            case UnionType union -> union.members();
            case EnumType _,ValueType _,StringType _,AddressType _,ArrayType _ -> List.of();
        };
    }

    private void collect(MemoryType type, int depth) {
        parts += 1 + (type instanceof EnumType constants ? constants.constants().size() : 0);
        if (depth > DEEPEST || parts > MOST_PARTS) {
            throw new IllegalArgumentException("Type is too large for a text: depth=" + depth + ", deepest=" + DEEPEST
                    + ", parts=" + parts + ", limit=" + MOST_PARTS);
        }
        switch (type) {
            case ArrayType array -> collect(array.element(), depth + 1);
            case AddressType address -> address.target().ifPresent(target -> collect(target, depth + 1));
            case StructType _,UnionType _ -> membersOf(type).forEach(member -> collect(member.type(), depth + 1));
            case EnumType _,ValueType _,StringType _ -> {
            }
        }
        if (!nameOf(type).isEmpty()) {
            MemoryType candidate = type instanceof EnumType constants ? normal(constants) : type;
            byName.merge(nameOf(type), candidate, (first, second) -> PLAINEST_FIRST.compare(first, second) <= 0
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
            case StructType _,UnionType _ -> membersOf(arranged).forEach(member -> arrange(member.type()));
            case EnumType _,ValueType _,StringType _ -> {
            }
        }
        definition.ifPresent(named -> inOrder.put(nameOf(named), named));
    }
}
