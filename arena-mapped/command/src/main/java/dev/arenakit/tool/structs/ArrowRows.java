package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.Member;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.layout.type.ValueType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Makes rows of structs that arrive in pieces. A row is the index of the struct, followed by the struct.
///
/// Structs of zeros may never have been stored. They are no rows, as in the tables of `arena sql`.
final class ArrowRows implements ExtentSource.Sink {
    /// The number of bytes of rows that are passed on together.
    private static final long BUFFER_BYTES = 1 << 18;
    private static final long INDEX_BYTE_SIZE = Long.BYTES;

    private final long structByteSize;
    private final long rowByteSize;
    private final boolean hasZeros;
    private final ArrowTable.RowSink sink;
    private final MemorySegment buffer;
    /// The number of complete rows in the buffer.
    private int rows;
    /// The number of bytes of the struct after them.
    private long filled;
    private boolean isZero = true;
    private long index;

    /// @param hasZeros whether structs of zeros are rows
    /// @param first    the index of the first struct
    /// @param sink     receives the rows
    ArrowRows(StructType struct, boolean hasZeros, long first, ArrowTable.RowSink sink) {
        this.hasZeros = hasZeros;
        this.sink = sink;
        index = first;
        structByteSize = struct.byteSize();
        rowByteSize = INDEX_BYTE_SIZE + structByteSize;
        buffer = MemorySegment.ofArray(
                new byte[Math.toIntExact(Math.max(1, BUFFER_BYTES / rowByteSize) * rowByteSize)]);
    }

    /// Returns the type of the rows of structs.
    static StructType type(StructType struct) {
        Set<String> names = struct.members().stream().map(Member::name).collect(Collectors.toSet());
        String index = "index";
        for (int number = 2; names.contains(index); number++) {
            index = "index_" + number;
        }
        List<Member> members = new ArrayList<>();
        members.add(new Member(index, 0, ValueType.of(long.class).withByteAlignment(1)));
        // The offset of a member in a row need not be a multiple of the member's alignment.
        for (Member member : struct.withByteAlignment(1).members()) {
            members.add(new Member(member.name(), INDEX_BYTE_SIZE + member.byteOffset(), member.type()));
        }
        return new StructType(struct.name(), members, INDEX_BYTE_SIZE + struct.byteSize(), 1);
    }

    @Override
    public void data(MemorySegment bytes) throws IOException {
        for (long at = 0; at < bytes.byteSize();) {
            long some = Math.min(bytes.byteSize() - at, structByteSize - filled);
            MemorySegment.copy(bytes, at, buffer, structOffset() + filled, some);
            isZero &= isZero(structOffset() + filled, some);
            at += some;
            filled += some;
            endStruct();
        }
    }

    private long structOffset() {
        return rows * rowByteSize + INDEX_BYTE_SIZE;
    }

    private boolean isZero(long from, long byteSize) {
        long i = 0;
        for (; i + Long.BYTES <= byteSize; i += Long.BYTES) {
            if (buffer.get(JAVA_LONG_UNALIGNED, from + i) != 0) {
                return false;
            }
        }
        for (; i < byteSize; i++) {
            if (buffer.get(JAVA_BYTE, from + i) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        for (long left = byteSize; left > 0;) {
            if (filled == 0 && !hasZeros && left >= structByteSize) {
                index += left / structByteSize;
                left %= structByteSize;
                continue;
            }
            long some = Math.min(left, structByteSize - filled);
            buffer.asSlice(structOffset() + filled, some).fill((byte) 0);
            left -= some;
            filled += some;
            endStruct();
        }
    }

    private void endStruct() throws IOException {
        if (filled < structByteSize) {
            return;
        }
        if (!isZero || hasZeros) {
            buffer.set(JAVA_LONG_UNALIGNED, structOffset() - INDEX_BYTE_SIZE, index);
            rows++;
            if ((rows + 1) * rowByteSize > buffer.byteSize()) {
                flush();
            }
        }
        index++;
        filled = 0;
        isZero = true;
    }

    /// The index of the next struct.
    long index() {
        return index;
    }

    /// Passes on the complete rows.
    void flush() throws IOException {
        sink.write(buffer.asSlice(0, rows * rowByteSize));
        rows = 0;
    }
}
