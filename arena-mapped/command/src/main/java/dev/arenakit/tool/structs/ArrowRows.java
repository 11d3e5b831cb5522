package dev.arenakit.tool.structs;

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

/// Makes rows of structs. A row is the index of the struct, followed by the struct.
///
/// Structs of zeros may never have been stored. They are no rows, as in the tables of `arena sql`.
final class ArrowRows implements StructPieces.Consumer {
    /// The number of bytes of rows that are passed on together.
    private static final long BUFFER_BYTES = 1 << 18;
    private static final long INDEX_BYTE_SIZE = Long.BYTES;

    private final long structByteSize;
    private final long rowByteSize;
    private final boolean hasZeros;
    private final ArrowTable.RowSink sink;
    private final MemorySegment buffer;
    /// The number of bytes in the buffer.
    private long filled;

    /// @param hasZeros whether structs of zeros are rows
    /// @param sink     receives the rows
    ArrowRows(StructType struct, boolean hasZeros, ArrowTable.RowSink sink) {
        this.hasZeros = hasZeros;
        this.sink = sink;
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
    public void accept(long index, MemorySegment structs) throws IOException {
        long next = index;
        for (long at = 0; at < structs.byteSize(); at += structByteSize, next++) {
            if (hasZeros || !isZero(structs, at)) {
                buffer.set(JAVA_LONG_UNALIGNED, filled, next);
                MemorySegment.copy(structs, at, buffer, filled + INDEX_BYTE_SIZE, structByteSize);
                filled += rowByteSize;
                if (filled == buffer.byteSize()) {
                    flush();
                }
            }
        }
    }

    /// Whether all bytes of a struct are zero: the first byte is, and each byte equals the next one.
    private boolean isZero(MemorySegment structs, long at) {
        long end = at + structByteSize;
        return structs.get(JAVA_BYTE, at) == 0
                && MemorySegment.mismatch(structs, at, end - 1, structs, at + 1, end) < 0;
    }

    /// Passes on the rows in the buffer.
    void flush() throws IOException {
        sink.write(buffer.asSlice(0, filled));
        filled = 0;
    }
}
