package dev.arenakit.internal.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.BitFieldType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Prints a struct in the grammar of `LayoutText`.
public final class LayoutPrinter {
    /*
     * A declaration of C is written from its name outwards: the name, then the brackets and asterisks of arrays and
     * pointers, and the innermost type before all of them. `declare` takes the part that is already written, and each
     * type adds its own part.
     *
     * In a packed struct, all types have alignment 1, and the alignment is not written: a body in place has the
     * alignment with which it is declared. The targets of pointers are not packed.
     */
    private static final String INDENT = "    ";
    /// The annotation of a bit field, between its type and its name.
    private static final String BIG = "@big ";

    private final LayoutDefinitions definitions;
    /// The version that the declarations need.
    private int version = LayoutVersions.USUAL_VERSION;

    private LayoutPrinter(LayoutDefinitions definitions) {
        this.definitions = definitions;
    }

    public static String print(StructType struct) {
        LayoutPrinter printer = new LayoutPrinter(LayoutDefinitions.of(struct, _ -> false));
        StringBuilder text = new StringBuilder();
        for (MemoryType definition : printer.definitions.inOrder()) {
            text.append('\n').append(printer.body(definition, "")).append(";\n");
        }
        text.append('\n').append(printer.body(struct, "")).append(";\n");
        return LayoutVersions.FIRST_LINE + printer.version + "\n" + text;
    }

    /// Returns the type of a member as it is declared, with names in place of bodies.
    public static String typeName(MemoryType type) {
        return switch (type) {
            case ValueType value -> word(value) + order(value.order(), value.byteSize());
            case UnsignedType unsigned -> unsigned.cName() + order(unsigned.order(), unsigned.byteSize());
            case BitFieldType bits -> typeName(bits.declared()) + " : " + bits.bitSize();
            case StringType text -> text(text) + "[" + text.length() + "]";
            case RefType reference -> word(reference) + order(reference.order(), reference.byteSize());
            case AddressType address -> address.target().map(LayoutPrinter::typeName).orElse("void") + " *";
            case ArrayType array -> {
                StringBuilder dimensions = new StringBuilder();
                MemoryType element = array;
                while (element instanceof ArrayType(MemoryType inner, long length, long _, Optional<String> _)) {
                    dimensions.append('[').append(length).append(']');
                    element = inner;
                }
                yield element instanceof StringType text
                        ? text(text) + dimensions + "[" + text.length() + "]"
                        : typeName(element) + dimensions;
            }
            case EnumType constants -> head("enum", constants.name())
                    + order(constants.order(), constants.byteSize());
            case StructType struct -> head("struct", struct.name());
            case UnionType union -> head("union", union.name());
        };
    }

    private String declare(MemoryType type, String inner, boolean packed, String indent) {
        return switch (type) {
            case ValueType value -> word(value) + order(value.order(), value.byteSize())
                    + align(value, packed ? 1 : value.byteSize()) + " " + inner;
            case UnsignedType unsigned -> unsigned.cName() + order(unsigned.order(), unsigned.byteSize())
                    + align(unsigned, packed ? 1 : unsigned.naturalAlignment()) + " " + inner;
            case BitFieldType bits -> declare(bits.declared(), inner, packed, indent) + " : " + bits.bitSize();
            case StringType text -> text(text) + " " + dimension(inner, text.length())
                    + align(text, packed ? 1 : text.naturalAlignment());
            case RefType reference -> {
                version = LayoutVersions.LATEST_VERSION;
                yield word(reference) + order(reference.order(), reference.byteSize())
                        + align(reference, packed ? 1 : reference.byteSize()) + " " + inner;
            }
            case AddressType address -> {
                String annotations = order(address.order(), address.byteSize())
                        + align(address, packed ? 1 : address.byteSize());
                String pointer = "*" + (annotations.isEmpty() ? "" : annotations.strip() + " ") + inner;
                yield address.target()
                        .map(target -> declare(target, pointer, false, indent))
                        .orElse("void " + pointer);
            }
            case ArrayType array -> declare(array.element(), dimension(inner, array.length())
                    + array.count().map(count -> " @count(" + count + ")").orElse("")
                    + align(array, array.element().byteAlignment()), packed, indent);
            case EnumType constants -> definitions.of(constants)
                    .map(_ -> head("enum", constants.name())
                            + order(constants.order(), constants.byteSize())
                            + align(constants, packed ? 1 : constants.byteSize()))
                    .orElseGet(() -> body(constants, packed, indent)) + " " + inner;
            case StructType _,UnionType _ -> definitions.of(type)
                    .map(definition -> typeName(type) + align(type, packed ? 1 : definition.byteAlignment()))
                    .orElseGet(() -> body(packed ? LayoutDefinitions.declared(type) : type, indent)) + " " + inner;
        };
    }

    private String body(MemoryType type, String indent) {
        return type instanceof StructType struct
                ? body(struct, indent)
                : type instanceof UnionType union ? body(union, indent) : body((EnumType) type, false, indent);
    }

    private String body(EnumType constants, boolean packed, String indent) {
        StringBuilder text = new StringBuilder(head("enum", constants.name()));
        if (constants.isUnsigned() || constants.byteSize() != Integer.BYTES) {
            text.append(" : ").append(integerName(constants));
        }
        text.append(order(constants.order(), constants.byteSize()))
                .append(align(constants, packed ? 1 : constants.byteSize()))
                .append(" {\n");
        constants.constants()
                .forEach(constant -> text.append(indent)
                        .append(INDENT)
                        .append(constant.name())
                        .append(" = ")
                        .append(constants.isUnsigned()
                                ? Long.toUnsignedString(constant.value())
                                : Long.toString(constant.value()))
                        .append(",\n"));
        constants.otherwise()
                .ifPresent(name -> text.append(indent).append(INDENT).append(name).append(" = @otherwise,\n"));
        return text.append(indent).append('}').toString();
    }

    private String body(StructType struct, String indent) {
        boolean packed = isPacked(struct.members());
        StringBuilder text = new StringBuilder(head("struct", struct.name())).append(packed ? " @packed" : "");
        long natural = LayoutDefinitions.largestAlignment(struct.members());
        long end = struct.members().isEmpty() ? 0 : struct.members().getLast().limit();
        text.append(align(struct, natural)).append(size(struct, end)).append(" {\n");
        LayoutPlacement placement = new LayoutPlacement(packed);
        for (Member member : struct.members()) {
            boolean isBigByte = placement.isBigByte(member);
            text.append(indent)
                    .append(INDENT)
                    .append(declare(member.type(), (isBigByte ? BIG : "") + member.name(), packed, indent + INDENT))
                    .append(placement.annotations(member, isBigByte))
                    .append(";\n");
        }
        return text.append(indent).append('}').toString();
    }

    private String body(UnionType union, String indent) {
        boolean packed = isPacked(union.members());
        StringBuilder text = new StringBuilder(head("union", union.name()));
        Optional<Discriminator> discriminator = union.discriminator();
        discriminator.ifPresent(tells -> text.append(" @switch(").append(tells.member()).append(')'));
        long end = union.members().stream().mapToLong(Member::limit).max().orElse(0);
        text.append(packed ? " @packed" : "")
                .append(align(union, LayoutDefinitions.largestAlignment(union.members())))
                .append(size(union, end))
                .append(" {\n");
        for (int i = 0; i < union.members().size(); i++) {
            Member member = union.members().get(i);
            text.append(indent).append(INDENT).append(declare(member.type(), member.name(), packed, indent + INDENT));
            if (member.type() instanceof BitFieldType bits && bits.bitOffset() > 0) {
                text.append(" @bit(").append(bits.bitOffset()).append(')');
            }
            if (discriminator.isPresent()) {
                List<List<Long>> values = discriminator.get().values();
                text.append(i < values.size() ? cases(values.get(i)) : " @otherwise");
            }
            text.append(";\n");
        }
        return text.append(indent).append('}').toString();
    }

    private String cases(List<Long> values) {
        if (values.size() > 1) {
            version = LayoutVersions.LATEST_VERSION;
        }
        return values.stream().map(String::valueOf).collect(Collectors.joining(", ", " @case(", ")"));
    }

    /// Whether every member has alignment 1, and the alignment of a member would be larger without `@packed`.
    private boolean isPacked(List<Member> members) {
        return LayoutDefinitions.largestAlignment(members) == 1
                && members.stream().anyMatch(member -> needsPacking(member.type()));
    }

    private boolean needsPacking(MemoryType type) {
        if (type instanceof ArrayType array) {
            return needsPacking(array.element());
        }
        return (type instanceof StructType || type instanceof UnionType)
                ? definitions.of(type).orElseGet(() -> LayoutDefinitions.declared(type)).byteAlignment() > 1
                : type.naturalAlignment() > 1
                        || (type instanceof BitFieldType bits && bits.bitOffset() + bits.bitSize() > Byte.SIZE);
    }

    private static String head(String kind, String name) {
        return name.isEmpty() ? kind : kind + " " + name;
    }

    private static String word(ValueType value) {
        return value.cName() + (value.carrier() == char.class ? " @char" : "");
    }

    /// The name, in C, of the integer type of an enum.
    static String integerName(EnumType constants) {
        return constants.value() instanceof UnsignedType unsigned
                ? unsigned.cName()
                : ((ValueType) constants.value()).cName();
    }

    private static String word(RefType reference) {
        return UnsignedType.of(reference.byteSize()).cName() + " @ref(" + reference.targetByteSize() + ", "
                + reference.targetByteAlignment()
                + (reference.target().isEmpty() ? "" : ", " + reference.target())
                + reference.allocation().map(name -> ", \"" + name + "\"").orElse("") + ")";
    }

    private static String text(StringType text) {
        String charset = switch (text.charset().name()) {
            case "US-ASCII" -> " @ascii";
            case "UTF-16BE", "UTF-32BE" -> " @big";
            case "UTF-8", "UTF-16LE", "UTF-32LE" -> "";
            default -> " @charset(" + text.charset().name().replace('-', '_') + ")";
        };
        return unitName(text) + charset + (text.padding() == Padding.SPACE ? " @spaces" : "") + prefix(text);
    }

    /// The type of a code unit in C.
    static String unitName(StringType text) {
        return text.unitByteSize() == 1 ? "char" : "char" + Byte.SIZE * text.unitByteSize() + "_t";
    }

    private static String prefix(StringType text) {
        boolean big = text.prefixByteSize() > 1 && text.prefixOrder() == ByteOrder.BIG_ENDIAN;
        return text.prefixByteSize() == 0 ? "" : " @prefix(" + text.prefixByteSize() + (big ? ", big)" : ")");
    }

    static String dimension(String inner, long length) {
        return (inner.startsWith("*") ? "(" + inner + ")" : inner) + "[" + length + "]";
    }

    private static String order(ByteOrder order, long byteSize) {
        return byteSize > 1 && order == ByteOrder.BIG_ENDIAN ? " @big" : "";
    }

    private static String align(MemoryType type, long expected) {
        return type.byteAlignment() == expected ? "" : " @align(" + type.byteAlignment() + ")";
    }

    private static String size(MemoryType type, long end) {
        return Sizes.isAlignedUp(type.byteSize(), end, type.byteAlignment()) ? "" : " @size(" + type.byteSize() + ")";
    }
}
