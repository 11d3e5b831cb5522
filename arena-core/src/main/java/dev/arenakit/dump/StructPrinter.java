package dev.arenakit.dump;

import dev.arenakit.layout.ArrayType;
import dev.arenakit.layout.EnumType;
import dev.arenakit.layout.Member;
import dev.arenakit.layout.MemoryType;
import dev.arenakit.layout.StructType;
import dev.arenakit.layout.UnionType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Prints structs: in one line each, or with a line for each field where there are columns in front of it.
final class StructPrinter implements StructVisitor {
    private static final String CUT_OFF = "<cut off>";

    private final TextBuffer text;
    private final Margin margin;
    /// Whether nothing stands yet in the innermost struct, union or array.
    private boolean first;

    StructPrinter(TextBuffer text, boolean offsets, boolean bytes) {
        this.text = text;
        margin = new Margin(text, offsets, bytes);
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) throws IOException {
        margin.struct(byteOffset, bytes);
        text.ascii('[').decimal(index).ascii("] ");
        beginGroup(type.name(), byteOffset + type.byteSize());
    }

    @Override
    public void endStruct() throws IOException {
        endGroup();
        text.ascii('\n');
    }

    @Override
    public void zeros(StructType type, long first, long count, long byteOffset) throws IOException {
        margin.struct(byteOffset, MemorySegment.NULL);
        text.ascii('[').decimal(first).ascii("..").decimal(first + count - 1).ascii("] zeros\n");
    }

    @Override
    public void beginGroup(MemoryType type, long byteOffset) throws IOException {
        String name = type instanceof StructType struct ? struct.name() : ((UnionType) type).name();
        beginGroup(name, byteOffset + type.byteSize());
    }

    @Override
    public void endGroup() throws IOException {
        margin.end(first);
        text.ascii('}');
        first = false;
    }

    @Override
    public void member(Member member, long byteOffset) throws IOException {
        comma();
        margin.part(byteOffset, member.type());
        text.ascii(member.name()).ascii(" = ");
    }

    @Override
    public void beginArray(ArrayType type, long byteOffset) throws IOException {
        text.ascii('[');
        margin.beginArray(byteOffset + type.byteSize(), type.element());
        first = true;
    }

    @Override
    public void element(long index, long byteOffset) throws IOException {
        comma();
        margin.element(index, byteOffset);
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) throws IOException {
        if (leftOut > 0) {
            text.ascii(first ? "... " : ", ... ").decimal(leftOut).ascii(cutOff ? " cut off" : " more");
        }
        margin.endArray(first);
        text.ascii(']');
        first = false;
    }

    @Override
    public void integer(long value) throws IOException {
        text.decimal(value);
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
        Quotes.quote(value, text);
    }

    @Override
    public void bool(boolean value, int stored) throws IOException {
        text.ascii(value ? "true" : "false");
        // Any other byte than 1 is true too, and not what a program writes.
        if (stored > 1) {
            text.ascii(" (").decimal(stored).ascii(')');
        }
    }

    @Override
    public void constant(EnumType type, String name, long value) throws IOException {
        if (name.isEmpty()) {
            text.decimal(value);
        } else {
            text.ascii(name);
        }
    }

    @Override
    public void address(long address) throws IOException {
        text.ascii("0x").ascii(Long.toHexString(address));
    }

    @Override
    public void text(Text value) throws IOException {
        Quotes.quote(value.bytes(), value.charset(), text);
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
        margin.begin(end);
        first = true;
    }

    private void comma() throws IOException {
        if (!first) {
            text.ascii(',');
        }
        first = false;
    }
}
