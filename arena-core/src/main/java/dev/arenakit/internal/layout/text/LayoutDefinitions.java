package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
            .comparingLong((MemoryType type) -> -largestAlignment(type.members()))
            .thenComparingLong(MemoryType::byteAlignment);

    /// The definitions of no struct.
    static final LayoutDefinitions NONE = new LayoutDefinitions(_ -> false);

    private final Map<String, MemoryType> byName = new HashMap<>();
    private final Map<String, MemoryType> inOrder = new LinkedHashMap<>();
    private int parts;

    private final Predicate<MemoryType> elsewhere;

    private LayoutDefinitions(Predicate<MemoryType> elsewhere) {
        this.elsewhere = elsewhere;
    }

    /// @param elsewhere whether the target of an address is declared elsewhere
    /// @throws IllegalArgumentException if the struct is nested too deeply or has too many parts
    static LayoutDefinitions of(StructType root, Predicate<MemoryType> elsewhere) {
        LayoutDefinitions definitions = new LayoutDefinitions(elsewhere);
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
        MemoryType definition = byName.get(type.name());
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
        if (type instanceof EnumType) {
            return type.withOrder(ByteOrder.LITTLE_ENDIAN).withByteAlignment(type.byteSize());
        }
        Optional<? extends MemoryType> declared = type instanceof StructType struct
                ? struct.declared()
                : type instanceof UnionType union ? union.declared() : Optional.empty();
        return declared.isPresent() && declared.get().withByteAlignment(type.byteAlignment()).equals(type)
                ? declared.get()
                : type;
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
        innerTypes(type).forEach(inner -> collect(declared(inner), depth + 1));
        if (!type.name().isEmpty()) {
            byName.merge(type.name(), type, (first, second) -> PLAINEST_FIRST.compare(first, second) <= 0
                    ? first
                    : second);
        }
    }

    private void arrange(MemoryType type) {
        Optional<MemoryType> definition = of(type);
        if (definition.isPresent() && inOrder.containsKey(type.name())) {
            return;
        }
        MemoryType arranged = definition.orElse(type);
        innerTypes(arranged).forEach(this::arrange);
        definition.ifPresent(named -> inOrder.put(named.name(), named));
    }

    private Stream<? extends MemoryType> innerTypes(MemoryType type) {
        return type.innerTypes().stream().filter(inner -> !(type instanceof AddressType) || !elsewhere.test(inner));
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
