package dev.arenakit.arrow.internal.cdata;

import dev.arenakit.internal.Memory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// A struct of the C data interface with its children and dictionaries, and what they need until all are released.
///
/// A consumer can move a child to another place, and release it after its parent. So each struct is counted, and the
/// last one that is released frees the memory of all.
final class Export {
    /// The lower bits of `private_data` have the number of the struct within the export, and the higher bits have the
    /// number of the export. No number of an export is used again, so that a second release has no effect.
    static final long STRUCT_BITS = 20;

    final long id;
    final ExportMemory memory = new ExportMemory();
    final @Nullable StructStream stream;
    private final @Nullable MemoryLease lease;
    /// A bit for each struct that is not released.
    private final BitSet unreleased = new BitSet();
    private int structs;
    /// The number of structs that are not released, or whose children are being released.
    private long unreleasedCount;

    /// @param lease  is released at the end
    /// @param stream is closed at the end
    Export(long id, @Nullable MemoryLease lease, @Nullable StructStream stream) {
        this.id = id;
        this.lease = lease;
        this.stream = stream;
    }

    /// Writes a struct with its children.
    ///
    /// @param leased the memory that must not be freed before the struct is released
    /// @param stream is closed after the struct was released
    /// @param body   writes the members, except the last two
    static void write(CStruct kind, long to, @Nullable MemorySegment leased, @Nullable StructStream stream,
            Consumer<Export> body) {
        MemoryLease lease = leased == null ? null : MemoryLease.of(leased);
        Export export;
        try {
            export = ExportTable.add(lease, stream);
        } catch (Throwable t) {
            if (lease != null) {
                lease.release();
            }
            throw t;
        }
        try {
            kind.clear(to);
            long struct = export.addStruct();
            body.accept(export);
            kind.complete(to, struct);
        } catch (Throwable t) {
            export.end();
            throw t;
        }
    }

    /// Allocates the children of a struct.
    ///
    /// @return the address of the first child; the next one is [CStruct#byteSize] bytes further
    long addChildren(CStruct kind, long struct, int count) {
        long first = addStructs(kind, count);
        long[] pointers = LongStream.range(0, count).map(i -> first + i * kind.byteSize()).toArray();
        Memory.putLong(struct + kind.childCount, count);
        Memory.putLong(struct + kind.children, memory.allocateFrom(JAVA_LONG, pointers).address());
        return first;
    }

    /// Allocates the dictionary of a struct, and returns its address.
    long addDictionary(CStruct kind, long struct) {
        long added = addStructs(kind, 1);
        Memory.putLong(struct + kind.dictionary, added);
        return added;
    }

    private long addStructs(CStruct kind, int count) {
        return memory.allocate(count * kind.byteSize(), Long.BYTES).fill((byte) 0).address();
    }

    /// Adds a struct.
    ///
    /// @return its number, which is its `private_data`
    synchronized long addStruct() {
        if (structs == 1L << STRUCT_BITS) {
            throw new IllegalArgumentException("Type has too many columns: limit=" + structs);
        }
        unreleased.set(structs);
        unreleasedCount++;
        return (id << STRUCT_BITS) | structs++;
    }

    /// Marks a struct as released.
    ///
    /// @param number the number of the struct
    /// @return false if the struct was released already
    synchronized boolean release(long number) {
        int struct = (int) number & ((1 << STRUCT_BITS) - 1);
        boolean wasUnreleased = unreleased.get(struct);
        unreleased.clear(struct);
        return wasUnreleased;
    }

    /// Counts a struct that is released together with its children. The last one frees everything.
    void countReleased() {
        boolean isLast;
        synchronized (this) {
            isLast = --unreleasedCount == 0;
        }
        if (isLast) {
            end();
        }
    }

    /// Frees everything. This method is called once.
    void end() {
        ExportTable.remove(this);
        try {
            memory.free();
        } finally {
            try {
                if (stream != null) {
                    stream.close();
                }
            } finally {
                if (lease != null) {
                    lease.release();
                }
            }
        }
    }
}
