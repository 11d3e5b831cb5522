package dev.arenakit.tool.export;

import dev.arenakit.layout.type.ArrayType;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.console.CsvOutput;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.structs.StructColumns;
import dev.arenakit.tool.structs.ValueVisitor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Prints structs as rows of comma-separated values. The first column is the index of the struct. A run of zeros is no
/// row, or one row with the first and the last index. A value that is not valid is a field without a value.
final class CsvPrinter extends ValueVisitor {
    private final CsvOutput csv;
    private final boolean hasRuns;
    private final StructColumns columns = new StructColumns();
    private final Deque<Group> groups = new ArrayDeque<>();
    private final @Nullable String[] row;
    /// The column of the next value.
    private int column;

    /// Prints the header.
    ///
    /// @param hasRuns whether runs of zeros are rows
    CsvPrinter(Streams streams, boolean hasRuns, StructType type) throws IOException {
        csv = new CsvOutput(streams);
        this.hasRuns = hasRuns;
        List<String> header = new ArrayList<>(List.of("index"));
        StructColumns.forEach(type, (path, _, _) -> header.add(path));
        row = header.toArray(String[]::new);
        endRow();
    }

    /// A struct, a union or an array whose values are being visited.
    private record Group(MemoryType type, int start) {}

    private void endRow() throws IOException {
        csv.write(row);
        Arrays.fill(row, null);
    }

    @Override
    public void beginStruct(StructType type, long index, long byteOffset, MemorySegment bytes) {
        row[0] = Long.toString(index);
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
            row[0] = first + ".." + (first + count - 1);
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
    protected void value(@Nullable Object value) {
        row[column] = switch (value) {
            case null -> null;
            case Character c when c == 0 -> "";
            case Character c when Character.isSurrogate(c) -> "\ufffd";
            default -> value.toString();
        };
    }
}
