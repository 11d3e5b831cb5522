package dev.arenakit.tool.structs;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.tool.image.AllocationStructs;
import dev.arenakit.tool.image.StructRange;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The structs of an allocation as a table of Apache Arrow. A row is the index of a struct, followed by the struct.
public final class ArrowTable {
    /// Accepts rows, one after another. The memory is reused.
    @FunctionalInterface
    public interface RowSink {
        void write(MemorySegment rows) throws IOException;
    }

    /// The largest size of a struct: a whole struct is read into memory.
    private static final long LARGEST_STRUCT = 1 << 26;

    private final AllocationStructs structs;
    private final ExtentSource source;

    private ArrowTable(AllocationStructs structs, ExtentSource source) {
        this.structs = structs;
        this.source = source;
    }

    /// Returns the table of structs.
    ///
    /// @throws IOException if structs of this size are no rows
    public static ArrowTable of(AllocationStructs structs, ExtentSource source) throws IOException {
        long byteSize = structs.type().byteSize();
        if (byteSize == 0 || byteSize > LARGEST_STRUCT) {
            throw new IOException(structs.allocation().label() + ": structs of " + byteSize + " bytes are no rows: use"
                    + " --json");
        }
        return new ArrowTable(structs, source);
    }

    /// The type of the rows of structs.
    public static StructType rowType(StructType struct) {
        return ArrowRows.type(struct);
    }

    /// Writes the rows of structs, as far as there are bytes.
    ///
    /// @return the number of structs whose bytes are missing, because a data file is truncated
    public long write(StructRange range, RowSink sink) throws IOException {
        long byteSize = structs.type().byteSize();
        StructRange all = structs.within(StructRange.ALL);
        long whole = structs.entries().isPresent()
                ? all.count()
                : Math.min(all.count(), structs.allocation().byteSize() / byteSize);
        long first = Math.min(range.first(), whole);
        long count = Math.min(range.count(), whole - first);
        ArrowRows rows = new ArrowRows(structs.type(), structs.hasZeros(), sink);
        StructPieces pieces = new StructPieces((int) byteSize, first, structs.hasZeros(), rows);
        long _ = source.transferTo(pieces, first * byteSize, count * byteSize);
        rows.flush();
        return structs.entries().isPresent() ? 0 : first + count - pieces.index();
    }

    /// Whether the last struct is incomplete, and no row.
    public boolean isCut() {
        StructRange all = structs.within(StructRange.ALL);
        return structs.entries().isEmpty()
                && all.count() * structs.type().byteSize() > structs.allocation().byteSize();
    }
}
