package dev.arenakit.tool;

import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.ValueType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The types of a pattern of ImHex.
final class HexpatTypes {
    /*
     * Holes are padding, so that a type has the size that it has in memory. A union whose valid member is told is a condition of
     * the struct around it, each of whose branches is a struct with one member; where what tells it stands behind it, it is read ahead.
     *
     * What does not depend on its bytes is `static`: ImHex then makes one object for an array of any length. Enums need it for another
     * reason: without it, those in arrays lose their order of bytes. They are unsigned, since ImHex compares their bits.
     *
     * An array has one dimension: elements that are arrays or texts themselves are in structs of one member.
     */
    private static final String UNNAMED = "Anonymous";
    private static final String STATIC = " [[static]];\n\n";

    private final UniqueNames names;
    private final Map<MemoryType, String> reserved = new HashMap<>();
    private final Map<MemoryType, String> declared = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String address = "";

    /// @param names of all that is declared in the pattern
    HexpatTypes(UniqueNames names) {
        this.names = names;
    }

    /// How something is declared: the type in front of its name, and the length of an array in brackets behind it.
    record Declarator(String type, String length) {
        String of(String name) {
            return type + " " + name + length + ";";
        }
    }

    /// Gives a struct its name before those that others consist of have theirs.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(struct,
                _ -> names.take(struct.name().isEmpty() ? UNNAMED : HexpatNames.like(struct.name())));
    }

    /// How something that stands in an allocation is declared; declares what it needs.
    Declarator declarator(MemoryType type) {
        return declarator(type, UNNAMED);
    }

    /// How something of a type is declared; declares what it needs.
    ///
    /// @param suggested what the type is called if it has no name
    private Declarator declarator(MemoryType type, String suggested) {
        return switch (type) {
            case ValueType value ->
                new Declarator(order(TypeParts.isBig(value.order(), value.byteSize())) + word(value), "");
            case AddressType pointer ->
                new Declarator(order(TypeParts.isBig(pointer.order(), pointer.byteSize())) + address(), "");
            case EnumType constants -> new Declarator(
                    order(TypeParts.isBig(constants.value().order(), constants.byteSize()))
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

    /// The declarations.
    String text() {
        return text.toString();
    }

    /// Whether what a type consists of is told by its bytes.
    static boolean isTold(MemoryType type) {
        return switch (type) {
            case StructType struct -> struct.members()
                    .stream()
                    .anyMatch(member -> isTold(member.type())
                            || TypeParts.discriminator(struct, member).isPresent());
            case UnionType union -> union.members().stream().anyMatch(member -> isTold(member.type()));
            case ArrayType array -> isTold(array.element());
            case ValueType _,AddressType _,EnumType _,StringType _ -> false;
        };
    }

    private String named(MemoryType type, String suggested) {
        MemoryType key = TypeParts.key(type);
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
        }).append(isTold(type) ? ";\n\n" : STATIC);
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
            Optional<Member> tells = TypeParts.discriminator(struct, member);
            if (tells.isPresent()) {
                String read = members.getOrDefault(tells.get().name(), "");
                if (struct.members().indexOf(tells.get()) > struct.members().indexOf(member)) {
                    read = taken.take(read + "_ahead");
                    Declarator ahead = declarator(tells.get().type(), name + "_" + tells.get().name());
                    body.append("    ")
                            .append(ahead.type)
                            .append(' ')
                            .append(read)
                            .append(" @ addressof(this) + ")
                            .append(tells.get().byteOffset())
                            .append(" [[hidden]];\n");
                }
                body.append(branches(member, members.getOrDefault(member.name(), ""), tells.get(), read, name));
            } else {
                body.append("    ").append(member(member, members, name)).append('\n');
            }
            end = member.byteOffset() + member.type().byteSize();
        }
        return body.append(padding(struct.byteSize() - end)).append('}').toString();
    }

    private String branches(Member member, String memberName, Member tells, String read, String owner) {
        UnionType union = TypeParts.union(member.type()).orElseThrow();
        List<Long> values = union.discriminator().orElseThrow().values();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < values.size(); i++) {
            Member valid = union.members().get(i);
            StructType only = alone(valid.name(), valid.type(), union.byteSize(), union.byteAlignment());
            Declarator branch = declarator(with(member.type(), only), owner + "_" + member.name() + "_" + valid.name());
            String value = tells.type() instanceof EnumType constants
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

    /// A struct of one member, in which nothing tells which member of a union is valid.
    private static StructType alone(String name, MemoryType type, long byteSize, long byteAlignment) {
        MemoryType untold = TypeParts.union(type)
                .map(union -> with(type, new UnionType(union.name(), union.members(), union.byteSize(),
                        union.byteAlignment(), Optional.empty())))
                .orElse(type);
        return new StructType("", List.of(new Member(name, 0, untold)), byteSize, byteAlignment);
    }

    /// The type with another one in place of the union in it.
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

    /// The bits of a constant, without a sign.
    private static String bits(EnumType type, long value) {
        long mask = -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize());
        return value >= 0 ? Long.toString(value) : HexpatNames.hex(value & mask);
    }

    private static String word(ValueType value) {
        return switch (value.carrier().getName()) {
            case "boolean" -> "bool";
            // Of a character alone ImHex does not turn the bytes.
            case "char" -> TypeParts.isBig(value.order(), value.byteSize()) ? "u16" : "char16";
            case "float", "double" -> value.carrier().getName();
            default -> "s" + Byte.SIZE * value.byteSize();
        };
    }
}
