package dev.arenakit.internal.dump;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Prints structs as text: one line for each struct, or one line for each field if there are columns of offsets or
/// bytes.
public final class StructTextPrinter implements StructVisitor {
    private static final String CUT_OFF = "<cut off>";

    private final Utf8Buffer text;
    private final StructTextColumns columns;
    /// Whether the innermost struct, union or array is empty so far.
    private boolean first;
    /// Whether the struct is a wrapper. Only the value of a wrapper is shown.
    private boolean isWrapper;
    /// Whether the next member is the value of a wrapper. Its name is not shown.
    private boolean isWrapped;

    /// @param columns the columns of the same text
    public StructTextPrinter(Utf8Buffer text, StructTextColumns columns) {
        this.text = text;
        this.columns = columns;
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) throws IOException {
        isWrapper = type.wrapped().isPresent();
        isWrapped = isWrapper;
        columns.struct(byteOffset, bytes, isWrapper ? type.byteSize() : 0);
        text.ascii('[').decimal(index).ascii("] ");
        if (!isWrapper) {
            beginGroup(type.name(), byteOffset + type.byteSize());
        }
    }

    @Override
    public void endStruct() throws IOException {
        if (!isWrapper) {
            endGroup();
        }
        text.ascii('\n');
    }

    @Override
    public void zeros(StructType type, long first, long count, long byteOffset) throws IOException {
        columns.struct(byteOffset, MemorySegment.NULL, 0);
        text.ascii('[').decimal(first).ascii("..").decimal(first + count - 1).ascii("] zeros\n");
    }

    @Override
    public void beginGroup(MemoryType type, long byteOffset) throws IOException {
        beginGroup(type.name(), byteOffset + type.byteSize());
    }

    @Override
    public void endGroup() throws IOException {
        columns.end(first);
        text.ascii('}');
        first = false;
    }

    @Override
    public void member(Member member, long byteOffset) throws IOException {
        if (isWrapped) {
            isWrapped = false;
            return;
        }
        comma();
        columns.member(byteOffset, member.type());
        text.ascii(member.name()).ascii(" = ");
    }

    @Override
    public void beginArray(ArrayType type, long byteOffset) throws IOException {
        text.ascii('[');
        columns.beginArray(byteOffset + type.byteSize(), type.element());
        first = true;
    }

    @Override
    public void element(long index, long byteOffset) throws IOException {
        comma();
        columns.element(index, byteOffset);
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) throws IOException {
        if (leftOut > 0) {
            text.ascii(first ? "... " : ", ... ").decimal(leftOut).ascii(cutOff ? " cut off" : " more");
        }
        columns.endArray(first);
        text.ascii(']');
        first = false;
    }

    @Override
    public void integer(long value) throws IOException {
        text.decimal(value);
    }

    @Override
    public void unsigned(long value) throws IOException {
        if (value >= 0) {
            text.decimal(value);
        } else {
            text.ascii(Long.toUnsignedString(value));
        }
    }

    @Override
    public void floating(double value) throws IOException {
        text.ascii(Double.toString(value));
    }

    @Override
    public void floating(float value) throws IOException {
        text.ascii(Float.toString(value));
    }

    @Override
    public void character(char value) throws IOException {
        StructTextEscaper.quote(value, text);
    }

    @Override
    public void bool(boolean value, int stored) throws IOException {
        text.ascii(value ? "true" : "false");
        // Every byte except 0 is true, but programs write 1.
        if (stored > 1) {
            text.ascii(" (").decimal(stored).ascii(')');
        }
    }

    @Override
    public void constant(EnumType type, String name, long value) throws IOException {
        if (!name.isEmpty()) {
            text.ascii(name);
            return;
        }
        // The constant for all other values is shown with the value: OTHER(17).
        text.ascii(type.otherwise().map(otherwise -> otherwise + "(").orElse(""));
        if (type.isUnsigned()) {
            unsigned(value);
        } else {
            text.decimal(value);
        }
        text.ascii(type.otherwise().isPresent() ? ")" : "");
    }

    @Override
    public void address(long address) throws IOException {
        text.ascii("0x").ascii(Long.toHexString(address));
    }

    @Override
    public void reference(RefType type, long stored, String target) throws IOException {
        text.ascii(stored == 0 ? "" : "-> ");
        for (int codePoint : target.codePoints().toArray()) {
            StructTextEscaper.escape(codePoint, text);
        }
    }

    @Override
    public void text(Text value) throws IOException {
        StructTextEscaper.quote(value.bytes(), value.charset(), text);
        if (value.leftOut() > 0 || value.orMore()) {
            text.ascii(value.orMore() ? "... at least " : "... ").decimal(value.leftOut()).ascii(" more");
        }
        if (value.cutOff()) {
            text.ascii(CUT_OFF);
        }
    }

    @Override
    public void cutOff() throws IOException {
        text.ascii(CUT_OFF);
    }

    private void beginGroup(String name, long end) throws IOException {
        text.ascii(name).ascii(name.isEmpty() ? "{" : " {");
        columns.begin(end);
        first = true;
    }

    private void comma() throws IOException {
        if (!first) {
            text.ascii(',');
        }
        first = false;
    }
}
