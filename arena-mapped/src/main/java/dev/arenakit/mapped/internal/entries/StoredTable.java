package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Reads the hash table of a stored structure in pieces. [LongGroups] describes tables. Holes, whose groups are empty, are
/// skipped.
final class StoredTable {
    static final int GROUP = (int) LongGroups.GROUP_BYTE_SIZE;

    /// The number of groups that are read at once: 128 KiB. Larger reads are not faster.
    private static final int MOST = 1 << 11;

    final long root;
    final long groups;
    private final StructureBytes bytes;
    private final long start;
    private long next;
    private long offset;
    private int count;

    /// The table that the root refers to now.
    StoredTable(EntrySource source) throws IOException {
        bytes = source.bytes();
        root = source.current(LongGroups.ROOT);
        start = LongGroups.offset(root);
        int log = LongGroups.log(root);
        if (!LongGroups.isRoot(root) || !bytes.contains(start + LongGroups.byteSize(log))) {
            throw source.damaged("root=0x" + Long.toHexString(root));
        }
        groups = 1L << log;
    }

    /// The offset of the group of a hash, or of a later group.
    long group(long number) {
        return start + ((number & (groups - 1)) << LongGroups.GROUP_SHIFT);
    }

    /// Makes memory for the groups of a piece.
    MemorySegment newWindow() {
        return MemorySegment.ofArray(new long[(int) Math.min(MOST, groups) * GROUP / Long.BYTES]);
    }

    /// Moves to the next piece, and does not read it.
    ///
    /// @return false if there is none
    boolean next() throws IOException {
        if (next < groups) {
            next += Math.max(0, bytes.nextData(group(next)) - group(next)) >>> LongGroups.GROUP_SHIFT;
        }
        count = Math.clamp(groups - next, 0, MOST);
        offset = start + (next << LongGroups.GROUP_SHIFT);
        next += count;
        return count > 0;
    }

    /// The offset of the piece.
    long offset() {
        return offset;
    }

    /// The number of bytes of the piece.
    long byteSize() {
        return (long) count * GROUP;
    }

    /// Reads the piece.
    void read(MemorySegment window) throws IOException {
        bytes.read(offset, window.asSlice(0, byteSize()));
    }
}
