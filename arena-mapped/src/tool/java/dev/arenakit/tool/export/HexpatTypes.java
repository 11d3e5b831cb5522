package dev.arenakit.tool.export;

import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Declares the types of an ImHex pattern.
final class HexpatTypes {
    /*
     * Gaps between members are padding, so that a type has the same size as in memory. A union with a discriminator
     * becomes a condition in the struct around it, and each branch is a struct with one member; a discriminator after
     * the union is read ahead.
     *
     * A type that does not depend on its bytes is `static`: ImHex then makes one object for an array of any length.
     * Enums need it for another reason: without it, enums in arrays lose their byte order. Enums are unsigned, since
     * ImHex compares their bits.
     *
     * Arrays have one dimension: elements that are arrays or strings themselves are wrapped in structs of one member.
     */
    private static final String UNNAMED = "Anonymous";
    private static final String STATIC = " [[static]];\n\n";

    private final UniqueNames names;
    private final Map<MemoryType, String> reserved = new HashMap<>();
    private final Map<MemoryType, String> declared = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String address = "";

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

    /// Reserves the name of a struct, so that types that other types consist of do not get it.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(struct,
                _ -> names.take(struct.name().isEmpty() ? UNNAMED : HexpatNames.like(struct.name())));
    }

    /// Returns the declarator of the type of an allocation, and declares the types that it needs.
    Declarator declarator(MemoryType type) {
        return declarator(type, UNNAMED);
    }

    /// Returns the declarator of a type, and declares the types that it needs.
    ///
    /// @param suggested the name of the type if it has none
    private Declarator declarator(MemoryType type, String suggested) {
        return switch (type) {
            case ValueType value ->
                new Declarator(order(TypeProperties.isBig(value.order(), value.byteSize())) + word(value), "");
            case AddressType pointer ->
                new Declarator(order(TypeProperties.isBig(pointer.order(), pointer.byteSize())) + address(), "");
            case EnumType constants -> new Declarator(
                    order(TypeProperties.isBig(constants.value().order(), constants.byteSize()))
                            + (constants.constants().isEmpty() ? word(constants.value()) : named(constants, suggested)),
                    "");
            case StringType string -> new Declarator(string.unitByteSize() == 1
                    ? "char"
                    : order(string.charset().name().equals("UTF-16BE")) + "char16", "[" + string.length() + "]");
            case StructType _,UnionType _ -> new Declarator(named(type, suggested), "");
            case ArrayType array -> {
                MemoryType element = array.element();
                boolean isRow = element instanceof ArrayType || element instanceof StringType;
                MemoryType inOne = isRow
                        ? alone("items", element, element.byteSize(), element.byteAlignment())
                        : element;
                Declarator inner = declarator(inOne, isRow ? suggested + "_row" : suggested);
                yield new Declarator(inner.type, "[" + array.length() + "]");
            }
        };
    }

    /// The text of all declarations.
    String text() {
        return text.toString();
    }

    /// Whether the members of a type depend on its bytes, because it contains a union with a discriminator.
    static boolean dependsOnBytes(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members()
                    .stream()
                    .anyMatch(member -> dependsOnBytes(member.type())
                            || TypeProperties.discriminator(struct, member).isPresent());
            case UnionType union -> union.members().stream().anyMatch(member -> dependsOnBytes(member.type()));
            case ArrayType array -> dependsOnBytes(array.element());
            case ValueType _,AddressType _,EnumType _,StringType _ -> false;
        };
    }

    private String named(MemoryType type, String suggested) {
        MemoryType key = TypeProperties.key(type);
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String own = switch (type) {
            case StructType struct -> struct.name();
            case UnionType union -> union.name();
            case EnumType constants -> constants.name();
            case ValueType _,AddressType _,StringType _,ArrayType _ -> "";
        };
        String taken = reserved.get(key);
        String name = taken != null ? taken : names.take(HexpatNames.like(own.isEmpty() ? suggested : own));
        declared.put(key, name);
        text.append(switch (type) {
            case EnumType constants -> constants(constants, name);
            case UnionType union -> union(union, name);
            case StructType struct -> struct(struct, name);
            case ValueType _,AddressType _,StringType _,ArrayType _ -> throw new AssertionError(type);
        }).append(dependsOnBytes(type) ? ";\n\n" : STATIC);
        return name;
    }

    private static String constants(EnumType type, String name) {
        StringBuilder body = new StringBuilder("enum " + name + " : u" + Byte.SIZE * type.byteSize() + " {\n");
        UniqueNames taken = new UniqueNames();
        type.constants()
                .forEach(constant -> body.append("    ")
                        .append(taken.take(HexpatNames.like(constant.name())))
                        .append(" = ")
                        .append(bits(type, constant.value()))
                        .append(",\n"));
        return body.append('}').toString();
    }

    private String union(UnionType union, String name) {
        StringBuilder body = new StringBuilder("union " + name + " {\n");
        Map<String, String> members = memberNames(union.members());
        long end = 0;
        for (Member member : union.members()) {
            body.append("    ").append(member(member, members, name)).append('\n');
            end = Math.max(end, member.type().byteSize());
        }
        // Padding has no effect in a union.
        String rest = "    u8 " + unused(members) + "[" + union.byteSize() + "] [[hidden]];\n";
        return body.append(end == union.byteSize() ? "" : rest).append('}').toString();
    }

    private String struct(StructType struct, String name) {
        StringBuilder body = new StringBuilder("struct " + name + " {\n");
        Map<String, String> members = memberNames(struct.members());
        UniqueNames taken = new UniqueNames();
        members.values().forEach(taken::take);
        long end = 0;
        for (Member member : struct.members()) {
            body.append(padding(member.byteOffset() - end));
            Optional<Member> discriminator = TypeProperties.discriminator(struct, member);
            if (discriminator.isPresent()) {
                String read = members.getOrDefault(discriminator.get().name(), "");
                if (struct.members().indexOf(discriminator.get()) > struct.members().indexOf(member)) {
                    read = taken.take(read + "_ahead");
                    Declarator ahead = declarator(discriminator.get().type(), name + "_" + discriminator.get().name());
                    body.append("    ")
                            .append(ahead.type)
                            .append(' ')
                            .append(read)
                            .append(" @ addressof(this) + ")
                            .append(discriminator.get().byteOffset())
                            .append(" [[hidden]];\n");
                }
                body.append(branches(member, members.getOrDefault(member.name(), ""), discriminator.get(), read, name));
            } else {
                body.append("    ").append(member(member, members, name)).append('\n');
            }
            end = member.limit();
        }
        return body.append(padding(struct.byteSize() - end)).append('}').toString();
    }

    private String branches(Member member, String memberName, Member discriminator, String read, String owner) {
        UnionType union = TypeProperties.union(member.type()).orElseThrow();
        List<Long> values = union.discriminator().orElseThrow().values();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            Member valid = union.members().get(i);
            StructType only = alone(valid.name(), valid.type(), union.byteSize(), union.byteAlignment());
            Declarator branch = declarator(with(member.type(), only), owner + "_" + member.name() + "_" + valid.name());
            String value = discriminator.type() instanceof EnumType constants
                    ? bits(constants, values.get(i))
                    : values.get(i).toString();
            text.append("    ")
                    .append(i == 0 ? "" : "else ")
                    .append("if (")
                    .append(read)
                    .append(" == ")
                    .append(value)
                    .append(")\n        ")
                    .append(branch.of(memberName))
                    .append('\n');
        }
        String nothing = padding(member.type().byteSize()).stripTrailing();
        return values.isEmpty() || nothing.isEmpty()
                ? text + (values.isEmpty() ? padding(member.type().byteSize()) : "")
                : text + "    else\n    " + nothing + "\n";
    }

    /// A struct of one member. If that is a union, it has no discriminator.
    private static StructType alone(String name, MemoryType type, long byteSize, long byteAlignment) {
        MemoryType untold = TypeProperties.union(type)
                .map(union -> with(type, new UnionType(union.name(), union.members(), union.byteSize(),
                        union.byteAlignment(), Optional.empty())))
                .orElse(type);
        return new StructType("", List.of(new Member(name, 0, untold)), byteSize, byteAlignment);
    }

    /// Returns the type with another type in place of its union.
    private static MemoryType with(MemoryType type, MemoryType other) {
        return type instanceof ArrayType(MemoryType element, long length, long byteAlignment)
                ? new ArrayType(with(element, other), length, byteAlignment)
                : other;
    }

    private String member(Member member, Map<String, String> members, String owner) {
        return declarator(member.type(), owner + "_" + member.name()).of(members.getOrDefault(member.name(), ""));
    }

    private static String unused(Map<String, String> members) {
        UniqueNames taken = new UniqueNames();
        members.values().forEach(taken::take);
        return taken.take("all_bytes");
    }

    private static Map<String, String> memberNames(List<Member> members) {
        UniqueNames taken = new UniqueNames();
        Map<String, String> given = new HashMap<>();
        members.forEach(member -> given.put(member.name(), taken.take(HexpatNames.like(member.name()))));
        return given;
    }

    private String address() {
        if (address.isEmpty()) {
            String format = names.take("format_address");
            address = names.take("Address");
            text.append("fn ")
                    .append(format)
                    .append("(u64 value) {\n")
                    .append("    return builtin::std::format(\"0x{:x}\", value);\n};\nusing ")
                    .append(address)
                    .append(" = u64 [[format(\"")
                    .append(format)
                    .append("\"), static]];\n\n");
        }
        return address;
    }

    private static String padding(long byteSize) {
        return byteSize == 0 ? "" : "    padding[" + byteSize + "];\n";
    }

    private static String order(boolean isBig) {
        return isBig ? "be " : "";
    }

    /// The bits of a constant as an unsigned number.
    private static String bits(EnumType type, long value) {
        long mask = -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize());
        return value >= 0 ? Long.toString(value) : HexpatNames.hex(value & mask);
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
