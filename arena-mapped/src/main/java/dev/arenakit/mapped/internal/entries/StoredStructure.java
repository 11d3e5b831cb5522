package dev.arenakit.mapped.internal.entries;

import dev.arenakit.dump.ExtentSource;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// A structure as a process sees it that only reads its bytes. Not thread-safe.
public final class StoredStructure {
    private final StructureBytes bytes;
    private final StructType type;
    private final StructureKind kind;
    private final boolean mayChange;
    private final long boot;
    private final MemorySegment header = MemorySegment.ofArray(new long[(int) StructureFormat.BYTE_SIZE / Long.BYTES]);
    private final StructureState state;
    private @Nullable EntryReader reader;
    private boolean hasReadDamage;

    private StoredStructure(StructureBytes bytes, StructType type, StructureKind kind, boolean mayChange, long boot)
            throws IOException {
        this.bytes = bytes;
        this.type = type;
        this.mayChange = mayChange;
        this.boot = boot;
        this.kind = kind;
        if (bytes.contains(StructureFormat.BYTE_SIZE)) {
            bytes.read(0, header);
        }
        state = findState();
    }

    /// Reads the header of a structure.
    ///
    /// @param type      the recorded type
    /// @param mayChange whether a process may own the image
    /// @param boot      the present boot of the machine
    /// @throws IOException if the header cannot be read, or this build does not read structures of its kind
    public static StoredStructure open(StructureBytes bytes, StructType type, boolean mayChange, long boot)
            throws IOException {
        StructureKind kind;
        try {
            kind = StructureKind.of(bytes.name(), type.name());
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        return new StoredStructure(bytes, type, kind, mayChange, boot);
    }

    private StructureState findState() {
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

    public String kind() {
        return kind.typeName();
    }

    public StructType type() {
        return type;
    }

    public StructureState state() {
        return state;
    }

    boolean mayChange() {
        return mayChange;
    }

    StructureBytes bytes() {
        return bytes;
    }

    /// Whether an entry was read whose check is wrong.
    public boolean hasReadDamage() {
        return hasReadDamage;
    }

    void foundDamage() {
        hasReadDamage = true;
    }

    /// The number of entries that the header has.
    public long recordedCount() throws IOException {
        return state == StructureState.UNFINISHED ? 0 : reader().recordedCount();
    }

    /// The number of entries. They are counted if their owner has not recorded their number at the end.
    public long count() throws IOException {
        if (state == StructureState.CLOSED || state == StructureState.OPEN || state == StructureState.FORCED) {
            long recorded = recordedCount();
            if (recorded >= 0 && recorded <= reader().capacity()) {
                return recorded;
            }
        }
        return counted();
    }

    long counted() throws IOException {
        long count = 0;
        for (Cursor cursor = cursor(); cursor.next();) {
            count += cursor.count();
        }
        return count;
    }

    public Cursor cursor() throws IOException {
        return state == StructureState.UNFINISHED ? new EntryBatch(0) : reader().cursor();
    }

    public void read(long position, MemorySegment into) throws IOException {
        reader().read(position, into);
    }

    /// Passes the entries on as consecutive structs, as an [ExtentSource] does.
    public long transferTo(ExtentSource.Sink sink, long skip, long limit) throws IOException {
        Cursor cursor = cursor();
        long skipped = 0;
        long left = limit;
        while (left > 0 && cursor.next()) {
            long byteSize = cursor.entries().byteSize();
            long from = Math.min(skip - skipped, byteSize);
            skipped += from;
            long passed = Math.min(byteSize - from, left);
            if (passed > 0) {
                sink.data(cursor.entries().asSlice(from, passed));
                left -= passed;
            }
        }
        return skipped;
    }

    /// Checks the structure.
    public long check(Consumer<? super String> consumer) throws IOException {
        ProblemList problems = new ProblemList(consumer);
        long count = 0;
        try {
            if (state == StructureState.LOST) {
                problems.add(
                        "Structure was open when the machine failed, or the image was moved without arena copy, and"
                                + " may be incomplete; " + StructureFormat.REPAIR);
            }
            count = mayChange || state == StructureState.LOST || state == StructureState.UNFINISHED
                    ? counted()
                    : reader().check(problems);
        } catch (DamagedStructureException e) {
            problems.add(String.valueOf(e.getMessage()));
        }
        problems.finish();
        return count;
    }

    /// A number of the header, as it is now.
    long current(long byteOffset) throws IOException {
        if (mayChange) {
            bytes.read(byteOffset, header.asSlice(byteOffset, Long.BYTES));
        }
        return header.get(LONG, byteOffset);
    }

    /// The header as it was when the structure was opened, except for [numbers][#current] that were read since.
    MemorySegment header() {
        return header;
    }

    private EntryReader reader() throws IOException {
        if (reader == null) {
            try {
                StructureFormat.check(header, bytes.name(), kind);
                reader = switch (kind) {
                    case LONG_MAP -> new LongEntryReader(this);
                    case TREE -> new TreeEntryReader(this);
                };
            } catch (IllegalStateException e) {
                throw new DamagedStructureException(String.valueOf(e.getMessage()), e);
            }
        }
        return reader;
    }

    DamagedStructureException damaged(String what) {
        return new DamagedStructureException("Structure is damaged: name=" + bytes.name() + ", " + what, null);
    }

    /// The failure to read entries whose owner changes them too often.
    IOException changed(String what) {
        return new IOException(what + " while it was read: name=" + bytes.name() + "; read it again");
    }

    /// Contents that no structure has.
    static final class DamagedStructureException extends IOException {
        private static final long serialVersionUID = 1L;

        DamagedStructureException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
