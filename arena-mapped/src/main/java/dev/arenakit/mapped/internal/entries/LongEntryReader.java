package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a map from longs to longs. [LongGroups] describes the format. The position of an entry is its
/// offset in the memory.
final class LongEntryReader implements EntryReader {
    static final int ENTRY = 2 * Long.BYTES;

    /// The number of groups that are read at once: 128 KiB. Larger reads are not faster.
    private static final int WINDOW = 1 << 11;
    /// The number of times that a group is read. An owner cannot change it at each of them by chance.
    private static final int TRIES = 1 << 10;

    private final StoredStructure structure;
    private final StructureBytes bytes;
    private final long seed;

    LongEntryReader(StoredStructure structure) throws IOException {
        this.structure = structure;
        bytes = structure.bytes();
        seed = structure.header().get(LONG, StructureFormat.SEED);
        int key = structure.header().get(INT, StructureFormat.KEY_SIZE);
        int value = structure.header().get(INT, StructureFormat.VALUE_SIZE);
        if (structure.type().byteSize() != ENTRY || structure.type().members().getLast().byteOffset() != Long.BYTES
                || key != Long.BYTES || value != Long.BYTES) {
            throw structure.damaged("keyByteSize=" + key + ", valueByteSize=" + value + ", recorded="
                    + structure.type().byteSize());
        }
    }

    @Override
    public long recordedCount() throws IOException {
        return structure.current(LongGroups.COUNT);
    }

    @Override
    public long capacity() throws IOException {
        return StoredTable.of(structure).groups() * LongGroups.SLOTS;
    }

    @Override
    public Cursor cursor() throws IOException {
        return new Groups(StoredTable.of(structure));
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        bytes.read(position, into.asSlice(0, ENTRY));
    }

    @Override
    public long check(ProblemList problems) throws IOException {
        return new LongTableCheck(structure, this, problems).check();
    }

    long hash(long key) {
        return LongGroups.hash(key, seed);
    }

    /// Whether a pair has the tag of its key.
    boolean hasItsTag(MemorySegment groups, long pair, long tags) {
        return LongGroups.tag(tags, pair) == LongGroups.tag(hash(groups.get(LONG, pair)));
    }

    /// Reads the groups of a table in their order.
    private final class Groups extends EntryBatch {
        private final StoredTable table;
        private final StoredTable.Scan scan;
        private final MemorySegment before;
        private final MemorySegment after;
        private final boolean isClosed = structure.state() == StructureState.CLOSED && !structure.mayChange();

        Groups(StoredTable table) {
            super(ENTRY);
            this.table = table;
            scan = table.scan(bytes, WINDOW);
            before = scan.window();
            after = scan.window();
            positions = new long[(int) (before.byteSize() / StoredTable.GROUP) * LongGroups.SLOTS];
            entries = MemorySegment.ofArray(new long[positions.length * ENTRY / Long.BYTES]);
        }

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && scan.next()) {
                if (structure.mayChange()) {
                    readWhole();
                } else {
                    MemorySegment groups = scan.read();
                    for (int i = 0; i < scan.count(); i++) {
                        add(groups, groups.get(LONG, (long) i * StoredTable.GROUP), i);
                    }
                }
            }
            return count > 0;
        }

        /// Reads tags and versions before and after the pairs. If the versions are the same, no pair was replaced by
        /// another pair meanwhile.
        private void readWhole() throws IOException {
            MemorySegment earlier = scan.read(before);
            MemorySegment groups = scan.read();
            MemorySegment later = scan.read(after);
            for (int i = 0; i < scan.count(); i++) {
                long group = (long) i * StoredTable.GROUP;
                long tags = earlier.get(LONG, group);
                add(groups, isSame(tags, later.get(LONG, group)) ? tags : readAgain(groups.asSlice(group), group), i);
            }
            if (structure.current(LongGroups.ROOT) != table.root()) {
                throw structure.changed("Structure has got another table");
            }
        }

        private static boolean isSame(long tags, long later) {
            return LongGroups.version(tags) == LongGroups.version(later);
        }

        /// @return the tags of the pairs that were read
        private long readAgain(MemorySegment into, long group) throws IOException {
            MemorySegment word = MemorySegment.ofArray(new long[1]);
            for (int i = 0; i < TRIES; i++) {
                bytes.read(scan.offset() + group, word);
                long tags = word.get(LONG, 0);
                bytes.read(scan.offset() + group, into.asSlice(0, StoredTable.GROUP));
                bytes.read(scan.offset() + group, word);
                if (isSame(tags, word.get(LONG, 0))) {
                    return tags;
                }
            }
            throw structure.changed("Structure was changed all the time");
        }

        private void add(MemorySegment groups, long tags, int index) {
            long group = (long) index * StoredTable.GROUP;
            boolean isLost = structure.state() == StructureState.LOST;
            // After a kill, a check can be late.
            if ((isLost || isClosed) && !LongGroups.isIntact(groups, group)) {
                if (isLost) {
                    return;
                }
                structure.foundDamage();
            }
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(tags, pair) && (!isLost || hasItsTag(groups, pair, tags))) {
                    MemorySegment.copy(groups, pair, entries, (long) count * ENTRY, ENTRY);
                    positions[count++] = scan.offset() + pair;
                }
            }
        }
    }
}
