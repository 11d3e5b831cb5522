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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Declares the types of an ImHex pattern.
final class HexpatTypes {
    /*
     * Gaps between members are padding, so that a type has the same size as in memory. Bit fields that share bytes are
     * one variable. As in C, a union has all its members, and an array all its elements. A type thus does not depend on
     * its bytes, and is `static`: ImHex then makes one object for an array of any length. Enums need `static` for
     * another reason: without it, enums in arrays lose their byte order. Enums are unsigned, since ImHex compares their
     * bits.
     *
     * Arrays have one dimension: elements that are arrays or strings themselves are wrapped in structs of one member.
     */
    private static final String UNNAMED = "Anonymous";
    /// The sizes of integers in ImHex.
    private static final Set<Long> IMHEX_SIZES = Set.of(1L, 2L, 3L, 4L, 6L, 8L);

    private final UniqueNames names;
    private final Map<MemoryType, String> reserved = new HashMap<>();
    /// The names of declared types, by the types or, for bit fields and texts after their lengths, by their bodies.
    private final Map<Object, String> declared = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private String address = "";

    /// @param names the names that the pattern declares
    HexpatTypes(UniqueNames names) {
        this.names = names;
    }

    /// A declaration without its name: the type before the name, and the length of an array in brackets after it.
    record Declarator(String type, String length) {
        String of(String name) {
            return "    " + type + " " + name + length + ";\n";
        }
    }

    /// Reserves the name of a struct, so that no nested type gets this name.
    void reserve(StructType struct) {
        reserved.computeIfAbsent(struct,
                _ -> names.take(struct.name().isEmpty() ? UNNAMED : HexpatText.identifier(struct.name())));
    }

    /// Returns the declarator of the type of an allocation, and declares the types that it needs.
    Declarator declarator(MemoryType type) {
        return declarator(type, UNNAMED);
    }

    /// The text of all declarations.
    String text() {
        return text.toString();
    }

    /// @param suggested the name of the type if it has none
    private Declarator declarator(MemoryType type, String suggested) {
        return switch (type) {
            case ValueType value -> new Declarator(order(value.order(), value.byteSize()) + word(value), "");
            case RefType reference -> new Declarator(
                    order(reference.order(), reference.byteSize()) + "u" + Byte.SIZE * reference.byteSize(), "");
            case AddressType pointer -> new Declarator(order(pointer.order(), pointer.byteSize()) + address(), "");
            case EnumType constants -> new Declarator(order(constants.order(), constants.byteSize())
                    + (constants.constants().isEmpty()
                            ? (constants.isUnsigned() ? "u" : "s") + Byte.SIZE * constants.byteSize()
                            : named(constants, suggested)),
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
            case StructType _,UnionType _ -> new Declarator(named(type, suggested), "");
            case ArrayType array -> {
                MemoryType element = array.element();
                boolean isRow = element instanceof ArrayType
                        || (element instanceof StringType text && text.prefixByteSize() == 0)
                        || (element instanceof UnsignedType odd && !IMHEX_SIZES.contains(odd.byteSize()));
                MemoryType inOne = isRow
                        ? new StructType("", List.of(new Member("items", 0, element)), element.byteSize(),
                                element.byteAlignment())
                        : element;
                yield new Declarator(declarator(inOne, isRow ? suggested + "_row" : suggested).type,
                        "[" + array.length() + "]");
            }
        };
    }

    /// Returns a reference to a type by its name, and declares the type. Byte order and alignment do not belong to the
    /// declaration of an enum.
    private String named(MemoryType type, String suggested) {
        MemoryType key = type instanceof EnumType constants
                ? constants.withOrder(ByteOrder.LITTLE_ENDIAN).withByteAlignment(constants.byteSize())
                : type;
        String known = declared.get(key);
        if (known != null) {
            return known;
        }
        String taken = reserved.get(key);
        String name = taken != null
                ? taken
                : names.take(HexpatText.identifier(type.name().isEmpty() ? suggested : type.name()));
        declared.put(key, name);
        append(type instanceof EnumType constants
                ? "enum " + name + " : u" + Byte.SIZE * type.byteSize() + " {\n" + constants(constants)
                : type instanceof UnionType union
                        ? "union " + name + " {\n" + members(union, name)
                        : "struct " + name + " {\n" + members((StructType) type, name));
        return name;
    }

    private void append(String declaration) {
        text.append(declaration).append("} [[static]];\n\n");
    }

    private static String constants(EnumType type) {
        UniqueNames taken = new UniqueNames();
        return type.constants()
                .stream()
                .map(constant -> "    %s = %s,\n".formatted(taken.take(HexpatText.identifier(constant.name())),
                        HexpatText.number(type, constant.value())))
                .collect(Collectors.joining());
    }

    private String members(StructType struct, String owner) {
        StringBuilder body = new StringBuilder();
        UniqueNames taken = new UniqueNames();
        List<Member> members = struct.members();
        long end = 0;
        for (int i = 0; i < members.size();) {
            Member member = members.get(i);
            body.append(padding(member.byteOffset() - end));
            if (member.type() instanceof BitFieldType) {
                BitFieldRun run = BitFieldRun.of(members, i);
                body.append(bits(members, run, taken, owner));
                end = run.byteOffset() + run.byteSize();
                i = run.end();
            } else {
                body.append(member(member, taken, owner));
                end = member.limit();
                i++;
            }
        }
        return body.append(padding(struct.byteSize() - end)).toString();
    }

    private String members(UnionType union, String owner) {
        StringBuilder body = new StringBuilder();
        UniqueNames taken = new UniqueNames();
        long end = 0;
        for (int i = 0; i < union.members().size(); i++) {
            Member member = union.members().get(i);
            body.append(member.type() instanceof BitFieldType
                    ? bits(union.members(), new BitFieldRun(i, List.of(member), member.limit()), taken, owner)
                    : member(member, taken, owner));
            end = Math.max(end, member.limit());
        }
        // Padding has no effect in a union.
        return body + (end == union.byteSize()
                ? ""
                : "    u8 " + taken.take("all_bytes") + "[" + union.byteSize() + "] [[hidden]];\n");
    }

    private String member(Member member, UniqueNames taken, String owner) {
        return declarator(member.type(), owner + "_" + member.name())
                .of(taken.take(HexpatText.identifier(member.name())));
    }

    /// The declaration of a variable that consists of bit fields. ImHex shows each bit field. A variable has one byte
    /// order: bit fields of both orders are bytes.
    private String bits(List<Member> members, BitFieldRun run, UniqueNames taken, String owner) {
        String name = taken.take(HexpatText.identifier(members.get(run.first()).name() + "_bits"));
        Optional<ByteOrder> order = run.order();
        if (order.isEmpty()) {
            return "    u8 " + name + "[" + run.byteSize() + "];\n";
        }
        UniqueNames fields = new UniqueNames();
        StringBuilder body = new StringBuilder();
        for (BitFieldRun.Part part : run.parts(order.get())) {
            body.append("    ")
                    .append(part.index() < 0
                            ? "padding"
                            : bitField(members.get(part.index()), fields, owner))
                    .append(" : ")
                    .append(part.bitSize())
                    .append(";\n");
        }
        String type = declared.computeIfAbsent(body.toString(), _ -> {
            String unique = names.take(HexpatText.identifier(owner + "_" + name));
            text.append("bitfield ").append(unique).append(" {\n").append(body).append("};\n\n");
            return unique;
        });
        return new Declarator(order(order.get(), Short.BYTES) + type, "").of(name);
    }

    private String bitField(Member member, UniqueNames taken, String owner) {
        BitFieldType type = (BitFieldType) member.type();
        String name = taken.take(HexpatText.identifier(member.name()));
        // ImHex reads the bits as unsigned.
        boolean isNamed = type.declared() instanceof EnumType constants && !constants.constants().isEmpty()
                && constants.constants().stream().allMatch(constant -> constant.value() >= 0);
        boolean isBoolean = type.declared() instanceof ValueType value && value.carrier() == boolean.class;
        return (isNamed
                ? named(type.declared(), owner + "_" + name) + " "
                : isBoolean ? "bool " : type.isSigned() ? "signed " : "") + name;
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

    /// The struct for a text that follows its length.
    private String prefixed(StringType type) {
        String body = declarator(UnsignedType.of(type.prefixByteSize(), type.prefixOrder()), UNNAMED).of("length")
                + declarator(StringType.of(type.length(), type.charset()), UNNAMED).of("text");
        String known = declared.get(body);
        if (known != null) {
            return known;
        }
        String name = names.take("Text");
        declared.put(body, name);
        append("struct " + name + " {\n" + body);
        return name;
    }

    private static String padding(long byteSize) {
        return byteSize == 0 ? "" : "    padding[" + byteSize + "];\n";
    }

    private static String order(ByteOrder order, long byteSize) {
        return byteSize > 1 && order == ByteOrder.BIG_ENDIAN ? "be " : "";
    }

    private static String word(ValueType value) {
        return switch (value.carrier().getName()) {
            case "boolean" -> "bool";
            // ImHex ignores the byte order of a single character.
            case "char" -> value.order() == ByteOrder.BIG_ENDIAN ? "u16" : "char16";
            case "float", "double" -> value.carrier().getName();
            default -> "s" + Byte.SIZE * value.byteSize();
        };
    }
}
