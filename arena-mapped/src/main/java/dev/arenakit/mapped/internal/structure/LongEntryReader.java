package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a map from longs to longs. [LongGroups] describes the format. The position of an entry is its
/// offset in the memory.
final class LongEntryReader implements EntryReader {
    private static final int GROUP = (int) LongGroups.GROUP_BYTE_SIZE;
    private static final int ENTRY = 2 * Long.BYTES;
    /// The number of groups that are read at once: 128 KiB. Larger reads are not faster.
    private static final int WINDOW = 1 << 10;
    /// A larger table would not fit into the address space.
    private static final int LARGEST_LOG = 40;

    private final StoredStructure structure;
    private final StructureBytes bytes;
    private final long seed;

    LongEntryReader(StoredStructure structure) throws IOException {
        this.structure = structure;
        bytes = structure.bytes();
        seed = structure.header().get(LONG, StructureFormat.SEED);
        structure.checkSizes();
        if (structure.type().byteSize() != ENTRY || structure.type().members().getLast().byteOffset() != Long.BYTES
                || structure.header().get(INT, StructureFormat.VALUE_SIZE) != Long.BYTES) {
            throw structure.damaged("recorded type of " + structure.type().byteSize() + " bytes");
        }
    }

    /// A table.
    ///
    /// @param groups the number of its groups
    record Table(long root, long offset, long groups) {
        long group(long number) {
            return offset + ((number & groups - 1) << LongGroups.GROUP_SHIFT);
        }
    }

    /// The table that the root refers to now.
    Table table() throws IOException {
        long root = structure.current(LongGroups.ROOT);
        long offset = LongGroups.offset(root);
        int log = LongGroups.log(root);
        if (log > LARGEST_LOG || offset < StructureFormat.BYTE_SIZE
                || !bytes.contains(offset + LongGroups.byteSize(log))) {
            throw structure.damaged("root=0x" + Long.toHexString(root));
        }
        return new Table(root, offset, 1L << log);
    }

    @Override
    public long recordedCount() throws IOException {
        return structure.current(LongGroups.COUNT);
    }

    @Override
    public boolean isPossible(long recordedCount) throws IOException {
        return recordedCount >= 0 && recordedCount <= table().groups() * LongGroups.SLOTS;
    }

    @Override
    public Cursor cursor() throws IOException {
        return new Groups(table());
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        bytes.read(position, into.asSlice(0, ENTRY));
    }

    @Override
    public void check(long count, ProblemList problems) throws IOException {
        new LongTableCheck(structure, this, problems).check(count);
    }

    long hash(long key) {
        return LongGroups.hash(key, seed);
    }

    /// Whether a pair has the tag of its key.
    boolean hasItsTag(MemorySegment groups, long pair, long tags) {
        return (tags >>> LongGroups.tagShift(pair) & 0xFF) == LongGroups.tag(hash(groups.get(LONG, pair)));
    }

    /// Reads the groups of a table in their order.
    private final class Groups implements Cursor {
        private final Table table;
        private final MemorySegment groups = window(WINDOW * GROUP);
        private final MemorySegment entries = window(WINDOW * LongGroups.SLOTS * ENTRY);
        private final long[] positions = new long[WINDOW * LongGroups.SLOTS];
        private final Observer observer;
        private long next;
        private int count;

        Groups(Table table) {
            this.table = table;
            observer = structure.mayChange() ? new Observer(WINDOW) : Observer.NONE;
        }

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && next < table.groups) {
                long offset = table.group(next);
                long empty = bytes.nextData(offset) - offset >>> LongGroups.GROUP_SHIFT;
                int read = (int) Math.clamp(table.groups - next - empty, 0, WINDOW);
                next += empty;
                if (read > 0) {
                    read(table.group(next), read);
                }
                next += read;
            }
            return count > 0;
        }

        private void read(long offset, int number) throws IOException {
            observer.begin(bytes, offset, number);
            bytes.read(offset, groups.asSlice(0, (long) number * GROUP));
            observer.end(bytes, offset, number);
            for (int i = 0; i < number; i++) {
                if (!observer.isWhole(groups, i)) {
                    readAgain(offset, i);
                }
                add(offset, (long) i * GROUP);
            }
            if (structure.mayChange() && structure.current(LongGroups.ROOT) != table.root) {
                throw structure.changed("Structure has got another table");
            }
        }

        private void readAgain(long offset, int index) throws IOException {
            Observer again = new Observer(1);
            MemorySegment group = groups.asSlice((long) index * GROUP, GROUP);
            for (int i = 0; i < Observer.TRIES; i++) {
                again.begin(bytes, offset + (long) index * GROUP, 1);
                bytes.read(offset + (long) index * GROUP, group);
                again.end(bytes, offset + (long) index * GROUP, 1);
                if (again.isWhole(group, 0)) {
                    return;
                }
            }
            throw structure.changed("Structure was changed all the time");
        }

        private void add(long offset, long group) {
            long tags = groups.get(LONG, group);
            if (structure.state() == StructureState.LOST && !LongGroups.isIntact(groups, group)) {
                return;
            }
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(tags, pair)
                        && (structure.state() != StructureState.LOST || hasItsTag(groups, pair, tags))) {
                    MemorySegment.copy(groups, pair, entries, (long) count * ENTRY, ENTRY);
                    positions[count++] = offset + pair;
                }
            }
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public MemorySegment entries() {
            return entries.asSlice(0, (long) count * ENTRY);
        }

        @Override
        public long position(int index) {
            return positions[index];
        }
    }

    /// Reads groups before and after the reader. If their versions are the same, and the pairs had their tags before
    /// and while they were read, no pair was exchanged meanwhile.
    private static final class Observer {
        static final Observer NONE = new Observer(0);
        /// The number of times that a group is read. An owner cannot change a group at each of them by chance.
        static final int TRIES = 1 << 10;

        private final MemorySegment before;
        private final MemorySegment after;

        Observer(int groups) {
            before = window(groups * GROUP);
            after = window(groups * GROUP);
        }

        void begin(StructureBytes bytes, long offset, int groups) throws IOException {
            if (before.byteSize() > 0) {
                bytes.read(offset, before.asSlice(0, (long) groups * GROUP));
            }
        }

        void end(StructureBytes bytes, long offset, int groups) throws IOException {
            if (after.byteSize() > 0) {
                bytes.read(offset, after.asSlice(0, (long) groups * GROUP));
            }
        }

        boolean isWhole(MemorySegment groups, int index) {
            long group = (long) index * GROUP;
            return before.byteSize() == 0 || before.get(LONG, group) == groups.get(LONG, group)
                    && version(before, group) == version(after, group);
        }

        private static long version(MemorySegment groups, long group) {
            return groups.get(LONG, group + LongGroups.META) >>> 32;
        }
    }

    private static MemorySegment window(int byteSize) {
        return MemorySegment.ofArray(new long[byteSize / Long.BYTES]);
    }
}
