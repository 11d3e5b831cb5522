package dev.arenakit.mapped.internal.structure;

import dev.arenakit.layout.type.Member;
import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a map of records. [EntryGroups] describes the format. The position of an entry is its offset in
/// the memory.
final class MapEntryReader implements EntryReader {
    private static final int GROUP = (int) EntryGroups.GROUP_BYTE_SIZE;
    /// The number of bytes of groups or entries that are read at once, if the entries are not larger.
    private static final int WINDOW = 1 << 16;
    private static final int LARGEST_LOG = 40;
    /// A larger entry would take too much memory of a reader.
    private static final long LARGEST_ENTRY = 1 << 24;
    /// The number of times that a slot is read. An owner cannot change it at each of them by chance.
    private static final int TRIES = 1 << 10;

    final StoredStructure structure;
    final EntryLayout layout;
    private final StructureBytes bytes;
    private final long seed;
    private final long typeByteSize;
    private final long typeKeyOffset;
    private final long typeValueOffset;
    private final int groupsAtOnce;

    MapEntryReader(StoredStructure structure) throws IOException {
        this.structure = structure;
        bytes = structure.bytes();
        seed = structure.header().get(LONG, StructureFormat.SEED);
        structure.checkSizes();
        Member key = structure.type().members().getFirst();
        Member value = structure.type().members().getLast();
        try {
            layout = EntryLayout.of(key.type(), value.type());
        } catch (IllegalArgumentException e) {
            throw structure.damaged(String.valueOf(e.getMessage()));
        }
        if (layout.byteSize() > LARGEST_ENTRY) {
            throw new IOException("Entries are too large to be read: name=" + bytes.name() + ", byteSize="
                    + layout.byteSize() + ", largest=" + LARGEST_ENTRY);
        }
        typeByteSize = structure.type().byteSize();
        typeKeyOffset = key.byteOffset();
        typeValueOffset = value.byteOffset();
        long least = Math.max(GROUP, typeByteSize * LongGroups.SLOTS);
        groupsAtOnce = (int) Math.clamp(WINDOW / least, 1, WINDOW / GROUP);
    }

    /// A table.
    ///
    /// @param groups the number of its groups
    record Table(long root, long offset, long groups) {
        long group(long number) {
            return offset + ((number & groups - 1) << EntryGroups.GROUP_SHIFT);
        }
    }

    /// The table that the root refers to now.
    Table table() throws IOException {
        long root = structure.current(LongGroups.ROOT);
        long offset = LongGroups.offset(root);
        int log = LongGroups.log(root);
        if (log > LARGEST_LOG || offset < StructureFormat.BYTE_SIZE
                || !bytes.contains(offset + EntryGroups.byteSize(log))) {
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
        return new Slots(table());
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        MemorySegment entry = entryMemory();
        readEntry(position, entry);
        toType(entry, into, 0);
    }

    @Override
    public void check(long count, ProblemList problems) throws IOException {
        new MapTableCheck(this, problems).check(count);
    }

    MemorySegment entryMemory() {
        return MemorySegment.ofArray(new long[(int) layout.byteSize() / Long.BYTES]);
    }

    /// Reads an entry that a slot refers to.
    void readEntry(long entry, MemorySegment into) throws IOException {
        if (entry < StructureFormat.BYTE_SIZE || !bytes.contains(entry + layout.byteSize())) {
            throw structure.damaged("entry=0x" + Long.toHexString(entry));
        }
        bytes.read(entry, into);
    }

    /// Copies key and value to the places where the recorded type has them.
    private void toType(MemorySegment entry, MemorySegment into, long at) {
        MemorySegment.copy(entry, layout.keyOffset(), into, at + typeKeyOffset, layout.keyByteSize());
        MemorySegment.copy(entry, layout.valueOffset(), into, at + typeValueOffset, layout.valueByteSize());
    }

    long hash(MemorySegment entry) {
        return EntryGroups.hash(entry, layout.keyOffset(), layout.keyWords(), seed);
    }

    /// Whether an entry has a right check.
    ///
    /// @param offset its offset in the memory
    boolean isIntact(MemorySegment entry, long offset) {
        long header = entry.get(LONG, 0);
        return EntryGroups.header(entry, EntryGroups.HEADER, layout.words(), offset, header >>> 32) == header;
    }

    /// Reads the slots of a table in their order.
    private final class Slots implements Cursor {
        private final Table table;
        private final MemorySegment groups = MemorySegment.ofArray(new long[groupsAtOnce * GROUP / Long.BYTES]);
        private final MemorySegment after = MemorySegment.ofArray(
                new long[structure.mayChange() ? groupsAtOnce * GROUP / Long.BYTES : 0]);
        private final MemorySegment entry = entryMemory();
        private final MemorySegment slot = MemorySegment.ofArray(new long[1]);
        private final MemorySegment tags = MemorySegment.ofArray(new long[1]);
        private final MemorySegment entries = MemorySegment.ofArray(
                new long[(int) ((groupsAtOnce * LongGroups.SLOTS * typeByteSize + 7) / Long.BYTES)]);
        private final long[] positions = new long[groupsAtOnce * LongGroups.SLOTS];
        /// The slots of the entries that were read, as their offsets in the groups.
        private final long[] slots = new long[groupsAtOnce * LongGroups.SLOTS];
        private long next;
        private int count;

        Slots(Table table) {
            this.table = table;
        }

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && next < table.groups) {
                long offset = table.group(next);
                long empty = bytes.nextData(offset) - offset >>> EntryGroups.GROUP_SHIFT;
                int read = (int) Math.clamp(table.groups - next - empty, 0, groupsAtOnce);
                next += empty;
                if (read > 0) {
                    read(table.group(next), read);
                }
                next += read;
            }
            return count > 0;
        }

        private void read(long offset, int number) throws IOException {
            MemorySegment window = groups.asSlice(0, (long) number * GROUP);
            bytes.read(offset, window);
            for (int i = 0; i < number; i++) {
                long found = window.get(LONG, (long) i * GROUP);
                for (int j = 0; j < LongGroups.SLOTS; j++) {
                    long at = EntryGroups.slot((long) i * GROUP, j);
                    if (EntryGroups.tag(found, at) != 0) {
                        add(found, at);
                    }
                }
            }
            if (structure.mayChange()) {
                checkUnchanged(offset, number);
            }
        }

        private void add(long found, long at) throws IOException {
            long offset = EntryGroups.entry(groups.get(LONG, at));
            if (structure.state() == StructureState.LOST) {
                if (!isWithin(offset)) {
                    return;
                }
                readEntry(offset, entry);
                if (!isIntact(entry, offset) || LongGroups.tag(hash(entry)) != EntryGroups.tag(found, at)) {
                    return;
                }
            } else {
                readEntry(offset, entry);
            }
            toType(entry, entries, count * typeByteSize);
            slots[count] = at;
            positions[count++] = offset;
        }

        private boolean isWithin(long offset) throws IOException {
            return offset >= StructureFormat.BYTE_SIZE && bytes.contains(offset + layout.byteSize());
        }

        /// Reads the entries again whose slots have changed meanwhile.
        private void checkUnchanged(long offset, int number) throws IOException {
            bytes.read(offset, after.asSlice(0, (long) number * GROUP));
            int kept = 0;
            for (int i = 0; i < count; i++) {
                long at = slots[i];
                long group = EntryGroups.group(at);
                boolean isSame = EntryGroups.tag(after.get(LONG, group), at) != 0
                        && after.get(LONG, at) == groups.get(LONG, at);
                if (isSame) {
                    MemorySegment.copy(entries, i * typeByteSize, entries, kept * typeByteSize, typeByteSize);
                    positions[kept++] = positions[i];
                } else if (readAgain(offset, at)) {
                    toType(entry, entries, kept * typeByteSize);
                    positions[kept++] = EntryGroups.entry(slot.get(LONG, 0));
                }
            }
            count = kept;
            if (structure.current(LongGroups.ROOT) != table.root) {
                throw structure.changed("Structure has got another table");
            }
        }

        /// Returns whether the slot has an entry, which was read.
        private boolean readAgain(long offset, long at) throws IOException {
            for (int i = 0; i < TRIES; i++) {
                bytes.read(offset + EntryGroups.group(at), tags);
                if (EntryGroups.tag(tags.get(LONG, 0), at) == 0) {
                    return false;
                }
                bytes.read(offset + at, slot);
                long before = slot.get(LONG, 0);
                if (!isWithin(EntryGroups.entry(before))) {
                    continue;
                }
                readEntry(EntryGroups.entry(before), entry);
                bytes.read(offset + EntryGroups.group(at), tags);
                bytes.read(offset + at, slot);
                if (EntryGroups.tag(tags.get(LONG, 0), at) != 0 && slot.get(LONG, 0) == before) {
                    return true;
                }
            }
            throw structure.changed("Structure was changed all the time");
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public MemorySegment entries() {
            return entries.asSlice(0, count * typeByteSize);
        }

        @Override
        public long position(int index) {
            return positions[index];
        }
    }
}
