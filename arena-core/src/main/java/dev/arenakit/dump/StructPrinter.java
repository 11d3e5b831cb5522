package dev.arenakit.dump;

import dev.arenakit.dump.LayoutDump.Options;
import dev.arenakit.layout.AddressType;
import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StringType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import dev.arenakit.layout.ValueType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Prints structs of a segment: in one line each, or with a line for each field where there are columns in front of it.
final class StructPrinter {
    /// How many elements of an array are shown.
    private static final long ELEMENTS = 16;
    /// How many bytes of a field are shown.
    private static final int BYTES = 8;
    private static final String INDENT = "    ";

    private final MemorySegment segment;
    private final Appendable text;
    private final Options options;
    private final ValueReader values;
    /// Whether each field has a line.
    private final boolean lines;

    StructPrinter(MemorySegment segment, Appendable text, Options options) {
        this.segment = segment;
        this.text = text;
        this.options = options;
        values = new ValueReader(segment);
        lines = options.offsets() || options.bytes();
    }

    void print(long index, StructType struct, long start) throws IOException {
        columns(start, 0);
        text.append('[').append(Long.toString(index)).append("] ");
        group(struct.name(), struct, struct.members(), start, struct, start, INDENT);
        text.append('\n');
    }

    /// @param struct      the innermost struct that the value stands in
    /// @param structStart where that begins
    private void value(MemoryType type, long start, StructType struct, long structStart, String indent)
            throws IOException {
        switch (type) {
            case StructType inner -> group(inner.name(), inner, inner.members(), start, inner, start, indent + INDENT);
            case UnionType union -> group(union.name(), union, valid(union, struct, structStart), start, struct,
                    structStart, indent + INDENT);
            case ArrayType array -> array(array, start, struct, structStart, indent);
            case StringType string -> text.append(values.text(string, start, options.elements()));
            case ValueType value -> text.append(values.value(value, start));
            case EnumType constants -> text.append(values.constant(constants, start));
            case AddressType address -> text.append(values.address(address, start));
        }
    }

    private void group(String name, MemoryType type, List<Member> members, long start, StructType struct,
            long structStart, String indent) throws IOException {
        text.append(name).append(name.isEmpty() ? "{" : " {");
        boolean first = true;
        for (Member member : members) {
            text.append(first ? "" : ",");
            first = false;
            long at = start + member.byteOffset();
            separate(at, member.type(), indent);
            text.append(member.name()).append(" = ");
            value(member.type(), at, struct, structStart, indent);
        }
        close(start + type.byteSize(), indent, members.isEmpty());
        text.append('}');
    }

    private void array(ArrayType array, long start, StructType struct, long structStart, String indent)
            throws IOException {
        MemoryType element = array.element();
        // Elements behind the end of the segment are all alike, and so are those without a size: there may be any number of them.
        boolean sized = element.byteSize() > 0;
        long inside = sized
                ? Math.ceilDiv(Math.max(0, segment.byteSize() - start), element.byteSize())
                : array.length();
        long most = !sized ? 1 : options.elements() ? inside : Math.min(inside, ELEMENTS);
        long shown = Math.min(array.length(), most);
        boolean nested = lines && !(element instanceof ValueType || element instanceof EnumType);
        text.append('[');
        for (long i = 0; i < shown; i++) {
            text.append(i > 0 ? "," : "");
            long at = start + i * element.byteSize();
            if (nested) {
                separate(at, element, indent + INDENT);
            } else {
                text.append(i > 0 ? " " : "");
            }
            value(element, at, struct, structStart, indent + INDENT);
        }
        if (shown < array.length()) {
            text.append(shown > 0 ? ", " : "")
                    .append("... ")
                    .append(Long.toString(array.length() - shown))
                    .append(shown < inside ? " more" : " cut off");
        }
        if (nested && shown > 0) {
            close(start + array.byteSize(), indent + INDENT, false);
        }
        text.append(']');
    }

    /// What comes in front of a member: a space, or a line with its columns.
    private void separate(long at, MemoryType type, String indent) throws IOException {
        if (!lines) {
            text.append(' ');
            return;
        }
        text.append('\n');
        columns(at, type instanceof StructType || type instanceof UnionType ? 0 : type.byteSize());
        text.append(indent);
    }

    private void close(long end, String indent, boolean empty) throws IOException {
        if (lines && !empty) {
            text.append('\n');
            columns(end, 0);
            text.append(indent, INDENT.length(), indent.length());
        } else {
            text.append(' ');
        }
    }

    private void columns(long at, long byteSize) throws IOException {
        if (options.offsets()) {
            text.append(HexFormat.of().toHexDigits(at, at >>> Integer.SIZE == 0 ? 8 : 16)).append("  ");
        }
        if (options.bytes()) {
            long shown = Math.min(Math.min(byteSize, BYTES), Math.max(0, segment.byteSize() - at));
            for (int i = 0; i < BYTES; i++) {
                text.append(i < shown ? HexFormat.of().toHexDigits(segment.get(JAVA_BYTE, at + i)) : "  ").append(' ');
            }
            text.append(byteSize > BYTES ? ".. " : "   ");
        }
    }

    /// The member of the union that is valid, or all where that is not known.
    private List<Member> valid(UnionType union, StructType struct, long structStart) {
        Optional<Member> valid = union.discriminator()
                .flatMap(tells -> struct.member(tells.member()).flatMap(member -> {
                    OptionalLong value = values.integer(member.type(), structStart + member.byteOffset());
                    int index = value.isPresent() ? tells.values().indexOf(value.getAsLong()) : -1;
                    return index < 0 ? Optional.empty() : Optional.of(union.members().get(index));
                }));
        return valid.map(List::of).orElse(union.members());
    }
}
