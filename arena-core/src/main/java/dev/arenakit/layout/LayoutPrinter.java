package dev.arenakit.layout;

import dev.arenakit.layout.UnionType.Discriminator;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// Prints a struct in the grammar of [LayoutText].
final class LayoutPrinter {
    /*
     * A declaration of C is written from its name outwards: the name, then what makes it an array or a pointer, and the
     * innermost type in front. So `declare` carries what is written so far, and each type adds to it or closes it.
     *
     * In a packed struct all types stand at alignment 1 and need not say so; what a pointer leads to is outside of it.
     */
    private static final String INDENT = "    ";

    private final Definitions definitions;

    private LayoutPrinter(Definitions definitions) {
        this.definitions = definitions;
    }

    static String print(StructType struct) {
        LayoutPrinter printer = new LayoutPrinter(Definitions.of(struct));
        StringBuilder text = new StringBuilder(LayoutParser.VERSION_LINE).append('\n');
        for (MemoryType definition : printer.definitions.inOrder()) {
            text.append('\n').append(printer.body(definition, "")).append(";\n");
        }
        return text.append('\n').append(printer.body(struct, "")).append(";\n").toString();
    }

    /// The type of a member in words, for a table: as it is declared, with names instead of bodies.
    static String word(MemoryType type) {
        return switch (type) {
            case ValueType value -> CWords.of(value.carrier()) + order(value.order(), value.byteSize());
            case StringType text -> text(text) + "[" + text.length() + "]";
            case AddressType address -> address.target().map(LayoutPrinter::word).orElse("void") + " *";
            case ArrayType array -> {
                StringBuilder dimensions = new StringBuilder();
                MemoryType element = array;
                while (element instanceof ArrayType(MemoryType inner, long length, long _)) {
                    dimensions.append('[').append(length).append(']');
                    element = inner;
                }
                yield element instanceof StringType text
                        ? text(text) + dimensions + "[" + text.length() + "]"
                        : word(element) + dimensions;
            }
            case EnumType constants -> head("enum", constants.name())
                    + order(constants.value().order(), constants.byteSize());
            case StructType struct -> head("struct", struct.name());
            case UnionType union -> head("union", union.name());
        };
    }

    private String declare(MemoryType type, String inner, boolean packed, String indent) {
        return switch (type) {
            case ValueType value -> CWords.of(value.carrier()) + order(value.order(), value.byteSize())
                    + align(value, packed ? 1 : value.byteSize()) + " " + inner;
            case StringType text -> text(text) + " " + dimension(inner, text.length())
                    + align(text, packed ? 1 : text.unitByteSize());
            case AddressType address -> {
                String said = order(address.order(), address.byteSize())
                        + align(address, packed ? 1 : address.byteSize());
                String pointer = "*" + (said.isEmpty() ? "" : said.strip() + " ") + inner;
                yield address.target()
                        .map(target -> declare(target, pointer, false, indent))
                        .orElse("void " + pointer);
            }
            case ArrayType array -> declare(array.element(), dimension(inner, array.length())
                    + align(array, array.element().byteAlignment()), packed, indent);
            case EnumType constants -> definitions.of(constants)
                    .map(_ -> head("enum", constants.name())
                            + order(constants.value().order(), constants.byteSize())
                            + align(constants, packed ? 1 : constants.byteSize()))
                    .orElseGet(() -> body(constants, packed, indent)) + " " + inner;
            case StructType _,UnionType _ -> definitions.of(type)
                    .map(definition -> word(type) + align(type, packed ? 1 : definition.byteAlignment()))
                    .orElseGet(() -> body(type, indent)) + " " + inner;
        };
    }

    private String body(MemoryType type, String indent) {
        return switch (type) {
            case StructType struct -> body(struct, indent);
            case UnionType union -> body(union, indent);
            case EnumType constants -> body(constants, false, indent);
            case ValueType _,StringType _,AddressType _,ArrayType _ -> throw new AssertionError(type);
        };
    }

    private String body(EnumType constants, boolean packed, String indent) {
        StringBuilder text = new StringBuilder(head("enum", constants.name()));
        if (constants.byteSize() != Integer.BYTES) {
            text.append(" : ").append(CWords.of(constants.value().carrier()));
        }
        text.append(order(constants.value().order(), constants.byteSize()))
                .append(align(constants, packed ? 1 : constants.byteSize()))
                .append(" {\n");
        constants.constants()
                .forEach(constant -> text.append(indent)
                        .append(INDENT)
                        .append(constant.name())
                        .append(" = ")
                        .append(constant.value())
                        .append(",\n"));
        return text.append(indent).append('}').toString();
    }

    private String body(StructType struct, String indent) {
        boolean packed = isPacked(struct.members());
        StringBuilder text = new StringBuilder(head("struct", struct.name())).append(packed ? " @packed" : "");
        long natural = Types.largestAlignment(struct.members());
        long end = struct.members().isEmpty() ? 0 : struct.members().getLast().limit();
        text.append(align(struct, natural)).append(size(struct, end)).append(" {\n");
        long before = 0;
        for (Member member : struct.members()) {
            text.append(indent).append(INDENT).append(declare(member.type(), member.name(), packed, indent + INDENT));
            if (!Types.isAlignedUp(member.byteOffset(), before, member.type().byteAlignment())) {
                text.append(" @offset(").append(member.byteOffset()).append(')');
            }
            text.append(";\n");
            before = member.limit();
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
                .append(align(union, Types.largestAlignment(union.members())))
                .append(size(union, end))
                .append(" {\n");
        for (int i = 0; i < union.members().size(); i++) {
            Member member = union.members().get(i);
            text.append(indent).append(INDENT).append(declare(member.type(), member.name(), packed, indent + INDENT));
            if (discriminator.isPresent()) {
                text.append(" @case(").append(discriminator.get().values().get(i)).append(')');
            }
            text.append(";\n");
        }
        return text.append(indent).append('}').toString();
    }

    /// Whether every member stands at alignment 1, and one of them would not without the word.
    private boolean isPacked(List<Member> members) {
        return Types.largestAlignment(members) == 1 && members.stream().anyMatch(member -> needsPacking(member.type()));
    }

    private boolean needsPacking(MemoryType type) {
        return switch (type) {
            case ValueType _,EnumType _,AddressType _ -> type.byteSize() > 1;
            case StringType text -> CWords.isUtf16(text);
            case ArrayType array -> needsPacking(array.element());
            case StructType _,UnionType _ ->
                definitions.of(type).map(definition -> definition.byteAlignment() > 1).orElse(false);
        };
    }

    private static String head(String kind, String name) {
        return name.isEmpty() ? kind : kind + " " + name;
    }

    private static String text(StringType text) {
        String unit = CWords.isUtf16(text) ? "char16_t" : "char";
        return unit + (CWords.isAscii(text) ? " @ascii" : CWords.isBigEndian(text) ? " @big" : "");
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
        return Types.isAlignedUp(type.byteSize(), end, type.byteAlignment()) ? "" : " @size(" + type.byteSize() + ")";
    }
}
