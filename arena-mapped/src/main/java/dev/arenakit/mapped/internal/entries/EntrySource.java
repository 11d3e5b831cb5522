package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// A structure as a process sees it that only reads its bytes. Not thread-safe.
public final class EntrySource {
    private final StructureBytes bytes;
    private final StructType type;
    private final StructureKind kind;
    private final boolean mayChange;
    private final MemorySegment header = MemorySegment.ofArray(new long[(int) StructureFormat.BYTE_SIZE / Long.BYTES]);
    private final StructureState state;

    /// Reads the header of a structure.
    ///
    /// @param type      the recorded type
    /// @param mayChange whether a process may own the image
    /// @param boot      the present boot of the machine
    /// @throws IOException if the header cannot be read, or this build does not read structures of its kind
    public EntrySource(StructureBytes bytes, StructType type, boolean mayChange, long boot) throws IOException {
        this.bytes = bytes;
        this.type = type;
        this.mayChange = mayChange;
        try {
            kind = StructureKind.of(bytes.name(), type.name());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        if (bytes.contains(StructureFormat.BYTE_SIZE)) {
            bytes.read(0, header);
        }
        state = state(boot);
    }

    private StructureState state(long boot) {
        if (!StructureFormat.isWritten(header)) {
            return StructureState.UNFINISHED;
        }
        if (header.get(LONG, StructureFormat.STATE) == StructureFormat.CLOSED) {
            return StructureState.CLOSED;
        }
        if (StructureFormat.isLost(header, boot)) {
            return kind == StructureKind.TREE ? StructureState.FORCED : StructureState.LOST;
        }
        return mayChange ? StructureState.OPEN : StructureState.KILLED;
    }

    public StructureKind kind() {
        return kind;
    }

    public StructType type() {
        return type;
    }

    public StructureState state() {
        return state;
    }

    public boolean mayChange() {
        return mayChange;
    }

    public StructureBytes bytes() {
        return bytes;
    }

    /// A number of the header, as it is now.
    long current(long byteOffset) throws IOException {
        if (mayChange) {
            bytes.read(byteOffset, header.asSlice(byteOffset, Long.BYTES));
        }
        return header.get(LONG, byteOffset);
    }

    /// The header as it was when the structure was opened, except for [numbers][#current] that were read since.
    public MemorySegment header() {
        return header;
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
