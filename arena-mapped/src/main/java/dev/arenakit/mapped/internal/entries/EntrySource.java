package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.ColumnTableFormat;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// A structure as a process sees it that only reads its bytes. Not thread-safe.
///
/// @param type      the type of an entry
/// @param mayChange whether a process may own the image
/// @param header    the header as it was when the structure was opened, except for [numbers][#current] that were read since
public record EntrySource(StructureBytes bytes, StructType type, StructureKind kind, boolean mayChange,
        MemorySegment header, StructureState state) {
    /// Reads the header of a structure.
    ///
    /// @param boot the present boot of the machine
    /// @throws IOException if the header cannot be read, or this build does not read structures of its kind
    public static EntrySource open(StructureBytes bytes, StructType type, boolean mayChange, long boot)
            throws IOException {
        Optional<StructType> row = ColumnTableFormat.recordedRow(type);
        MemorySegment header = MemorySegment.ofArray(new long[(int) (row.isPresent()
                ? ColumnTableFormat.HEADER_BYTE_SIZE
                : StructureFormat.BYTE_SIZE) / Long.BYTES]);
        // A header that is missing is zero.
        bytes.read(0, header);
        if (row.isPresent()) {
            return new EntrySource(bytes, row.get(), StructureKind.COLUMN_TABLE, mayChange, header,
                    !ColumnTableFormat.isCreated(header)
                            ? StructureState.UNFINISHED
                            : mayChange ? StructureState.OPEN : StructureState.CLOSED);
        }
        StructureKind kind;
        try {
            kind = StructureKind.of(bytes.name(), type.name());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        StructureState state = StructureFormat.state(header, boot);
        if (state == StructureState.LOST && kind == StructureKind.TREE) {
            state = StructureState.FORCED;
        } else if (state == StructureState.KILLED && mayChange) {
            state = StructureState.OPEN;
        }
        return new EntrySource(bytes, type, kind, mayChange, header, state);
    }

    /// A number of the header, as it is now.
    long current(long byteOffset) throws IOException {
        if (mayChange) {
            bytes.read(byteOffset, header.asSlice(byteOffset, Long.BYTES));
        }
        return header.get(LONG, byteOffset);
    }

    DamagedException damaged(String what) {
        return new DamagedException("Structure is damaged: name=" + bytes.name() + ", " + what, null);
    }

    /// The failure to read entries whose owner changes them too often.
    IOException changed(String what) {
        return new IOException(what + " while it was read: name=" + bytes.name() + "; read it again");
    }

    /// Contents that no structure has.
    public static final class DamagedException extends IOException {
        private static final long serialVersionUID = 1L;

        public DamagedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
