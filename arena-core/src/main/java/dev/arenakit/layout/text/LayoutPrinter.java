package dev.arenakit.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.type.AddressType;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.UnionType;
import dev.arenakit.layout.type.UnionType.Discriminator;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/// Prints a struct in the grammar of [LayoutText].
final class LayoutPrinter {
    /*
     * A declaration of C is written from its name outwards: the name, then the brackets and asterisks of arrays and
     * pointers, and the innermost type before all of them. `declare` takes the part that is written, to which each type
     * adds its own.
     *
     * In a packed struct all types have alignment 1, which is not written; the targets of pointers are not packed.
     */
    private static final String INDENT = "    ";

    private final LayoutDefinitions definitions;

    private LayoutPrinter(LayoutDefinitions definitions) {
        this.definitions = definitions;
    }

    static String print(StructType struct) {
        LayoutPrinter printer = new LayoutPrinter(LayoutDefinitions.of(struct));
        StringBuilder text = new StringBuilder(LayoutParser.VERSION_LINE).append('\n');
        for (MemoryType definition : printer.definitions.inOrder()) {
            text.append('\n').append(printer.body(definition, "")).append(";\n");
        }
        return text.append('\n').append(printer.body(struct, "")).append(";\n").toString();
    }

    /// Returns the type of a member as it is declared, with names in place of bodies.
    static String typeName(MemoryType type) {
        return switch (type) {
            case ValueType value -> value.cName() + order(value.order(), value.byteSize());
            case StringType text -> text(text) + "[" + text.length() + "]";
            case AddressType address -> address.target().map(LayoutPrinter::typeName).orElse("void") + " *";
            case ArrayType array -> {
                StringBuilder dimensions = new StringBuilder();
                MemoryType element = array;
                while (element instanceof ArrayType(MemoryType inner, long length, long _)) {
                    dimensions.append('[').append(length).append(']');
                    element = inner;
                }
                yield element instanceof StringType text
                        ? text(text) + dimensions + "[" + text.length() + "]"
                        : typeName(element) + dimensions;
            }
            case EnumType constants -> head("enum", constants.name())
                    + order(constants.value().order(), constants.byteSize());
            case StructType struct -> head("struct", struct.name());
            case UnionType union -> head("union", union.name());
        };
    }

    private String declare(MemoryType type, String inner, boolean packed, String indent) {
        return switch (type) {
            case ValueType value -> value.cName() + order(value.order(), value.byteSize())
                    + align(value, packed ? 1 : value.byteSize()) + " " + inner;
            case StringType text -> text(text) + " " + dimension(inner, text.length())
                    + align(text, packed ? 1 : text.unitByteSize());
            case AddressType address -> {
                String annotations = order(address.order(), address.byteSize())
                        + align(address, packed ? 1 : address.byteSize());
                String pointer = "*" + (annotations.isEmpty() ? "" : annotations.strip() + " ") + inner;
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
                    .map(definition -> typeName(type) + align(type, packed ? 1 : definition.byteAlignment()))
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
            text.append(" : ").append(constants.value().cName());
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
        long natural = LayoutDefinitions.largestAlignment(struct.members());
        long end = struct.members().isEmpty() ? 0 : struct.members().getLast().limit();
        text.append(align(struct, natural)).append(size(struct, end)).append(" {\n");
        long before = 0;
        for (Member member : struct.members()) {
            text.append(indent).append(INDENT).append(declare(member.type(), member.name(), packed, indent + INDENT));
            if (!Sizes.isAlignedUp(member.byteOffset(), before, member.type().byteAlignment())) {
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
                .append(align(union, LayoutDefinitions.largestAlignment(union.members())))
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

    /// Whether every member has alignment 1, and one of them would have a larger one without `@packed`.
    private boolean isPacked(List<Member> members) {
        return LayoutDefinitions.largestAlignment(members) == 1
                && members.stream().anyMatch(member -> needsPacking(member.type()));
    }

    private boolean needsPacking(MemoryType type) {
        return switch (type) {
            case ValueType _,EnumType _,AddressType _ -> type.byteSize() > 1;
            case StringType text -> text.unitByteSize() > 1;
            case ArrayType array -> needsPacking(array.element());
            case StructType _,UnionType _ ->
                definitions.of(type).map(definition -> definition.byteAlignment() > 1).orElse(false);
        };
    }

    private static String head(String kind, String name) {
        return name.isEmpty() ? kind : kind + " " + name;
    }

    private static String text(StringType text) {
        return switch (text.charset().name()) {
            case "US-ASCII" -> "char @ascii";
            case "UTF-16BE" -> "char16_t @big";
            case "UTF-16LE" -> "char16_t";
            default -> "char";
        };
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
