package dev.arenakit.arrow.internal.cdata;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A struct of the C data interface with its children and dictionaries, and what they need until all are released.
///
/// A consumer can move a child to another place, and release it after its parent. So each struct is counted, and the
/// last one that is released frees the memory of all.
final class Export {
    /// The lower bits of `private_data` have the number of the struct within the export, and the higher bits have the
    /// number of the export. No number of an export is used again, so that a second release has no effect.
    static final long STRUCT_BITS = 20;

    final long id;
    /// The next export in the same slot of [ExportTable].
    @Nullable
    Export next;
    final ExportMemory memory = new ExportMemory();
    final @Nullable StructStream stream;
    private final @Nullable MemoryLease lease;
    /// A bit for each struct that is not released.
    private long[] unreleased = new long[1];
    private long structs;
    /// The number of structs that are not released, or whose children are being released.
    private long unreleasedCount;

    /// @param lease  is released at the end
    /// @param stream is closed at the end
    Export(long id, @Nullable MemoryLease lease, @Nullable StructStream stream) {
        this.id = id;
        this.lease = lease;
        this.stream = stream;
    }

    /// Adds a struct.
    ///
    /// @return its number, which is its `private_data`
    synchronized long addStruct() {
        if (structs == 1L << STRUCT_BITS) {
            throw new IllegalArgumentException("Type has too many columns: limit=" + structs);
        }
        int word = (int) (structs >>> 6);
        if (word == unreleased.length) {
            unreleased = Arrays.copyOf(unreleased, 2 * word);
        }
        unreleased[word] |= 1L << structs;
        unreleasedCount++;
        return (id << STRUCT_BITS) | structs++;
    }

    /// Marks a struct as released.
    ///
    /// @param number the number of the struct
    /// @return false if the struct was released already
    synchronized boolean release(long number) {
        long struct = number & ((1L << STRUCT_BITS) - 1);
        int word = (int) (struct >>> 6);
        if (struct >= structs || (unreleased[word] & (1L << struct)) == 0) {
            return false;
        }
        unreleased[word] &= ~(1L << struct);
        return true;
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
