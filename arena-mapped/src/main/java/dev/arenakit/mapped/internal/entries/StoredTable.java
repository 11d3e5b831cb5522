package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The hash table of a stored structure. [LongGroups] describes tables.
///
/// @param root   the root that refers to the table
/// @param offset its offset in the memory
/// @param groups the number of its groups
record StoredTable(long root, long offset, long groups) {
    static final int GROUP = (int) LongGroups.GROUP_BYTE_SIZE;

    private static final int GROUP_SHIFT = LongGroups.GROUP_SHIFT;

    /// The table that the root refers to now.
    static StoredTable of(StoredStructure structure) throws IOException {
        long root = structure.current(LongGroups.ROOT);
        long offset = LongGroups.offset(root);
        int log = LongGroups.log(root);
        if (!LongGroups.isRoot(root) || !structure.bytes().contains(offset + (1L << (log + GROUP_SHIFT)))) {
            throw structure.damaged("root=0x" + Long.toHexString(root));
        }
        return new StoredTable(root, offset, 1L << log);
    }

    int log() {
        return LongGroups.log(root);
    }

    /// The offset of the group of a hash, or of a later group.
    long group(long number) {
        return offset + ((number & (groups - 1)) << GROUP_SHIFT);
    }

    /// Reads the groups of the table in pieces.
    ///
    /// @param most the largest number of groups in a piece
    Scan scan(StructureBytes bytes, int most) {
        return new Scan(bytes, most);
    }

    /// A scan of a table. It skips holes, whose groups are empty.
    final class Scan {
        private final StructureBytes bytes;
        private final MemorySegment window;
        private final int most;
        private long next;
        private long at;
        private int count;

        private Scan(StructureBytes bytes, int most) {
            this.bytes = bytes;
            this.most = (int) Math.min(most, groups);
            window = window();
        }

        /// Makes memory for the groups of a piece.
        MemorySegment window() {
            return MemorySegment.ofArray(new long[most * GROUP / Long.BYTES]);
        }

        /// Finds the next piece, and does not read it.
        ///
        /// @return false if there is none
        boolean next() throws IOException {
            if (next < groups) {
                next += Math.max(0, bytes.nextData(group(next)) - group(next)) >>> GROUP_SHIFT;
            }
            count = Math.clamp(groups - next, 0, most);
            at = offset + (next << GROUP_SHIFT);
            next += count;
            return count > 0;
        }

        /// The number of groups.
        int count() {
            return count;
        }

        /// The offset of the first group.
        long offset() {
            return at;
        }

        /// Reads the piece.
        MemorySegment read() throws IOException {
            return read(window);
        }

        MemorySegment read(MemorySegment into) throws IOException {
            MemorySegment piece = into.asSlice(0, (long) count * GROUP);
            bytes.read(at, piece);
            return piece;
        }
    }
}
