package dev.arenakit.tool.export;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldRun;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;

/// Declares the types of an ImHex pattern.
final class HexpatTypes {
    /*
     * Gaps between members are padding, so that a type has the same size as in memory. A union with a discriminator
     * becomes a condition in the struct around it, and each branch is a struct with one member; a discriminator after
     * the union is read ahead. The count of an array in an array or in a union is a parameter of a union around it.
     *
     * A type that does not depend on its bytes is `static`: ImHex then makes one object for an array of any length.
     * Enums need `static` for another reason: without it, enums in arrays lose their byte order. Enums are unsigned,
     * since ImHex compares their bits.
     *
     * Arrays have one dimension: elements that are arrays or strings themselves are wrapped in structs of one member.
     */
    private static final String UNNAMED = "Anonymous";
    /// The sizes of integers in ImHex.
    private static final Set<Long> IMHEX_SIZES = Set.of(1L, 2L, 3L, 4L, 6L, 8L);
    private static final String STATIC = " [[static]];\n\n";

    private final UniqueNames names;
    private final Map<MemoryType, String> reserved = new HashMap<>();
    private final Map<Variant, String> declared = new HashMap<>();
    private final HexpatStructs structs = new HexpatStructs(this);
    /// The names of the structs for texts that follow their length.
    private final Map<StringType, String> prefixes = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String address = "";

    /// A type, and the paths of the counts of arrays that are its parameters.
    private record Variant(MemoryType type, List<String> counts) {}

    /// @param names the names that the pattern declares
    HexpatTypes(UniqueNames names) {
        this.names = names;
    }

    /// A declaration without its name: the type before the name, and the length of an array in brackets after it.
    record Declarator(String type, String length) {
        String of(String name) {
            return type + " " + name + length + ";";
        }
    }

    /// Reserves the name of a struct, so that no nested type gets this name.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(struct,
                _ -> names.take(struct.name().isEmpty() ? UNNAMED : HexpatText.identifier(struct.name())));
    }

    /// Returns the declarator of the type of an allocation, and declares the types that it needs.
    Declarator declarator(MemoryType type) {
        return declarator(type, UNNAMED, Map.of());
    }

    /// Returns the declarator of a type, and declares the types that it needs.
    ///
    /// @param suggested the name of the type if it has none
    /// @param counts    expressions for the counts of arrays, by their paths
    Declarator declarator(MemoryType type, String suggested, Map<String, String> counts) {
        return switch (type) {
            case ValueType value ->
                new Declarator(order(value.order(), value.byteSize()) + word(value), "");
            case RefType reference -> new Declarator(
                    order(reference.order(), reference.byteSize()) + "u" + Byte.SIZE * reference.byteSize(), "");
            case AddressType pointer ->
                new Declarator(order(pointer.order(), pointer.byteSize()) + address(), "");
            case EnumType constants -> new Declarator(
                    order(constants.order(), constants.byteSize())
                            + (constants.constants().isEmpty() ? word(constants) : named(constants, suggested, counts)),
                    "");
            case UnsignedType unsigned when IMHEX_SIZES.contains(unsigned.byteSize()) -> new Declarator(
                    order(unsigned.order(), unsigned.byteSize()) + "u" + Byte.SIZE * unsigned.byteSize(), "");
            case UnsignedType unsigned -> new Declarator("u8", "[" + unsigned.byteSize() + "]");
            case BitFieldType _ -> throw new AssertionError(type);
            case StringType string when string.prefixByteSize() > 0 -> new Declarator(prefixed(string), "");
            case StringType string -> new Declarator(string.unitByteSize() == 1
                    ? "char"
                    : order(string.order(), string.unitByteSize())
                            + (string.unitByteSize() == Character.BYTES ? "char16" : "u32"),
                    "[" + string.length() + "]");
            case StructType _,UnionType _ -> new Declarator(named(type, suggested, counts), "");
            case ArrayType array -> {
                MemoryType element = array.element();
                boolean isRow = element instanceof ArrayType
                        || (element instanceof StringType text && text.prefixByteSize() == 0)
                        || (element instanceof UnsignedType odd && !IMHEX_SIZES.contains(odd.byteSize()));
                MemoryType inOne = isRow
                        ? alone("items", element, element.byteSize(), element.byteAlignment(), counts)
                        : element;
                Declarator inner = declarator(inOne, isRow ? suggested + "_row" : suggested, counts);
                yield new Declarator(inner.type, "[" + array.length() + "]");
            }
        };
    }

    /// Takes a name for a type.
    String take(String wanted) {
        return names.take(wanted);
    }

    /// Adds the declaration of a type.
    void append(String declaration) {
        text.append(declaration);
    }

    /// The text of all declarations.
    String text() {
        return text.toString();
    }

    /// Whether the members of a type depend on its bytes, because it contains a union with a discriminator.
    static boolean dependsOnBytes(MemoryType type) {
        if (type instanceof StructType struct && struct.members()
                .stream()
                .anyMatch(member -> TypeProperties.discriminator(struct, member).isPresent())) {
            return true;
        }
        return TypeProperties.count(type).isPresent() || (!(type instanceof AddressType)
                && type.innerTypes().stream().anyMatch(HexpatTypes::dependsOnBytes));
    }

    /// Returns a reference to a type by its name. The counts of arrays in a union are parameters of the union.
    String named(MemoryType type, String suggested, Map<String, String> counts) {
        List<String> paths = type instanceof UnionType ? knownCounts(type, counts) : List.of();
        return declare(type, suggested, paths) + (paths.isEmpty()
                ? ""
                : paths.stream()
                        .map(path -> counts.getOrDefault(path, ""))
                        .collect(Collectors.joining(", ", "<", ">")));
    }

    private static List<String> knownCounts(MemoryType type, Map<String, String> counts) {
        return TypeProperties.counts(type).stream().filter(counts::containsKey).toList();
    }

    private String declare(MemoryType type, String suggested, List<String> counts) {
        Variant key = new Variant(TypeProperties.key(type), counts);
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String taken = reserved.get(key.type);
        String name = taken != null
                ? taken
                : names.take(HexpatText.identifier(type.name().isEmpty() ? suggested : type.name()));
        declared.put(key, name);
        text.append(type instanceof EnumType constants
                ? constants(constants, name)
                : type instanceof UnionType union ? union(union, name, counts) : structs.of((StructType) type, name))
                .append(dependsOnBytes(type) ? ";\n\n" : STATIC);
        return name;
    }

    private static String constants(EnumType type, String name) {
        UniqueNames taken = new UniqueNames();
        return type.constants()
                .stream()
                .map(constant -> "    %s = %s,\n".formatted(taken.take(HexpatText.identifier(constant.name())),
                        HexpatText.number(type, constant.value())))
                .collect(Collectors.joining("", "enum " + name + " : u" + Byte.SIZE * type.byteSize() + " {\n", "}"));
    }

    private String union(UnionType union, String name, List<String> counts) {
        HexpatMembers names = new HexpatMembers(union.members());
        SequencedMap<String, String> parameters = new LinkedHashMap<>();
        counts.forEach(path -> parameters.put(path, names.take("count")));
        StringBuilder body = new StringBuilder("union " + name + (counts.isEmpty()
                ? ""
                : parameters.values()
                        .stream()
                        .map(count -> "auto " + count)
                        .collect(Collectors.joining(", ", "<", ">")))
                + " {\n");
        long end = 0;
        for (int i = 0; i < union.members().size(); i++) {
            Member member = union.members().get(i);
            body.append(member.type() instanceof BitFieldType
                    ? "    " + structs.bits(union.members(), new BitFieldRun(i, List.of(member), member.limit()), names,
                            name) + "\n"
                    : structs.member(member, names, parameters, name));
            end = Math.max(end, member.type().byteSize());
        }
        // Padding has no effect in a union.
        String rest = "    u8 " + names.take("all_bytes") + "[" + union.byteSize() + "] [[hidden]];\n";
        return body.append(end == union.byteSize() && counts.isEmpty() ? "" : rest).append('}').toString();
    }

    /// A struct of one member, or a union of one member if the member has counts of arrays. If the member is a union,
    /// it has no discriminator.
    static MemoryType alone(String name, MemoryType type, long byteSize, long byteAlignment,
            Map<String, String> counts) {
        boolean isCounted = !knownCounts(type, counts).isEmpty();
        MemoryType untold = TypeProperties.union(type)
                .map(union -> with(isCounted ? type : TypeProperties.uncounted(type),
                        new UnionType(union.name(), union.members(), union.byteSize(),
                                union.byteAlignment(), Optional.empty())))
                .orElse(isCounted ? type : TypeProperties.uncounted(type));
        List<Member> members = List.of(new Member(name, 0, untold));
        return isCounted
                ? new UnionType("", members, byteSize, byteAlignment, Optional.empty())
                : new StructType("", members, byteSize, byteAlignment);
    }

    /// Returns the type with another type in place of its union.
    static MemoryType with(MemoryType type, MemoryType other) {
        return type instanceof ArrayType array
                ? new ArrayType(with(array.element(), other), array.length(), array.byteAlignment(), array.count())
                : other;
    }

    private String address() {
        if (address.isEmpty()) {
            String format = names.take("format_address");
            address = names.take("Address");
            text.append("""
                    fn %1$s(u64 value) {
                        return builtin::std::format("0x{:x}", value);
                    };
                    using %2$s = u64 [[format("%1$s"), static]];

                    """.formatted(format, address));
        }
        return address;
    }

    static String padding(long byteSize) {
        return byteSize == 0 ? "" : "    padding[" + byteSize + "];\n";
    }

    static String order(ByteOrder order, long byteSize) {
        return TypeProperties.isBig(order, byteSize) ? "be " : "";
    }

    /// The struct for a text that follows its length.
    private String prefixed(StringType text) {
        return prefixes.computeIfAbsent(text.withByteAlignment(1), _ -> {
            Declarator length = declarator(UnsignedType.of(text.prefixByteSize(), text.prefixOrder()), UNNAMED,
                    Map.of());
            Declarator units = declarator(StringType.of(text.length(), text.charset()), UNNAMED, Map.of());
            String name = names.take("Text");
            this.text.append("struct %s {\n    %s\n    %s\n}".formatted(name, length.of("length"), units.of("text")))
                    .append(STATIC);
            return name;
        });
    }

    private static String word(EnumType constants) {
        return (constants.isUnsigned() ? "u" : "s") + Byte.SIZE * constants.byteSize();
    }

    private static String word(ValueType value) {
        return switch (value.carrier().getName()) {
            case "boolean" -> "bool";
            // ImHex ignores the byte order of a single character.
            case "char" -> TypeProperties.isBig(value.order(), value.byteSize()) ? "u16" : "char16";
            case "float", "double" -> value.carrier().getName();
            default -> "s" + Byte.SIZE * value.byteSize();
        };
    }
}
