package dev.arenakit.tool.export;

import dev.arenakit.dump.StructVisitor;
import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.structs.StructColumns;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Prints structs as rows of comma-separated values (RFC 4180) with line feeds. The first column is the index of the
/// struct. A run of zeros is no row, or one row with the first and the last index. A value that is not valid is an empty
/// field, and an empty text has quotation marks.
final class CsvPrinter implements StructVisitor {
    private final Streams streams;
    private final boolean hasRuns;
    private final StructColumns columns = new StructColumns();
    private final Deque<Group> groups = new ArrayDeque<>();
    private final StringBuilder row = new StringBuilder();
    /// The number of fields in the row.
    private int printed;
    /// The column of the next value.
    private int column;
    private int count;

    /// @param hasRuns whether runs of zeros are rows
    CsvPrinter(Streams streams, boolean hasRuns) {
        this.streams = streams;
        this.hasRuns = hasRuns;
    }

    /// A struct, a union or an array whose values are being visited.
    private record Group(MemoryType type, int start) {}

    void printHeader(StructType type) throws IOException {
        count = (int) columns.count(type) + 1;
        row.append("index");
        StructColumns.forEach(type, (path, _, _) -> row.append(',').append(path));
        printed = count;
        endRow();
    }

    private void beginRow(String index) {
        row.append(index);
        printed = 1;
    }

    private void endRow() throws IOException {
        row.append(",".repeat(count - printed)).append('\n');
        streams.out().write(row.toString().getBytes(UTF_8));
        row.setLength(0);
    }

    private void field(String text) {
        while (printed <= column) {
            row.append(',');
            printed++;
        }
        row.append(text);
    }

    private void quoted(String text) {
        field(streams.csvField(text));
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
        beginRow(Long.toString(index));
        groups.push(new Group(type, 1));
    }

    @Override
    public void endStruct() throws IOException {
        groups.pop();
        endRow();
    }

    @Override
    public void zeros(StructType type, long first, long count, long byteOffset) throws IOException {
        if (hasRuns) {
            beginRow(first + ".." + (first + count - 1));
            endRow();
        }
    }

    @Override
    public void beginGroup(MemoryType type, long byteOffset) {
        groups.push(new Group(type, column));
    }

    @Override
    public void endGroup() {
        groups.pop();
    }

    private Group group() {
        return Objects.requireNonNull(groups.peek());
    }

    @Override
    public void member(Member member, long byteOffset) {
        Group group = group();
        column = group.start + columns.start(group.type, member);
    }

    @Override
    public void beginArray(ArrayType type, long byteOffset) {
        groups.push(new Group(type.element(), column));
    }

    @Override
    public void element(long index, long byteOffset) {
        Group array = group();
        column = array.start + (int) (index * columns.count(array.type));
    }

    @Override
    public void endArray(long leftOut, boolean cutOff) {
        groups.pop();
    }

    @Override
    public void integer(long value) {
        field(Long.toString(value));
    }

    @Override
    public void unsigned(long value) {
        field(Long.toUnsignedString(value));
    }

    @Override
    public void floating(double value) {
        field(Double.toString(value));
    }

    @Override
    public void floating(float value) {
        field(Float.toString(value));
    }

    @Override
    public void character(char value) {
        quoted(value == 0 ? "" : String.valueOf(Character.isSurrogate(value) ? '\ufffd' : value));
    }

    @Override
    public void bool(boolean value, int stored) {
        field(Boolean.toString(value));
    }

    @Override
    public void constant(EnumType type, String name, long value) {
        field(name.isEmpty() ? type.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value) : name);
    }

    @Override
    public void address(long address) {
        field("0x" + Long.toHexString(address));
    }

    @Override
    public void text(Text text) {
        quoted(text.string());
    }

    @Override
    public void cutOff() {
        // The field is empty.
    }
}
