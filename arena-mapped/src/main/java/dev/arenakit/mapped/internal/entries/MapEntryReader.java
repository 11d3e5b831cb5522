package dev.arenakit.mapped.internal.entries;

import dev.arenakit.layout.type.Member;
import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.EntryGroups;
import dev.arenakit.mapped.internal.table.EntryLayout;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Reads the entries of a map of records. [EntryGroups] describes the format. The position of an entry is its offset in
/// the memory.
final class MapEntryReader implements EntryReader {
    /// The number of bytes of groups or entries that are read at once, if the entries are not larger.
    private static final int WINDOW = 1 << 16;
    /// A larger entry would take too much memory of a reader.
    private static final long LARGEST_ENTRY = 1 << 24;
    /// The number of times that a slot is read. An owner cannot change it at each of them by chance.
    private static final int TRIES = 1 << 10;

    private final StoredStructure structure;
    private final EntryLayout layout;
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
        long least = Math.max(StoredTable.GROUP, typeByteSize * EntryGroups.SLOTS);
        groupsAtOnce = Math.clamp(WINDOW / least, 1, WINDOW / StoredTable.GROUP);
    }

    @Override
    public long recordedCount() throws IOException {
        return structure.current(TagGroups.COUNT);
    }

    @Override
    public boolean isPossible(long recordedCount) throws IOException {
        return recordedCount >= 0 && recordedCount <= StoredTable.of(structure).groups() * EntryGroups.SLOTS;
    }

    @Override
    public Cursor cursor() throws IOException {
        return new Slots(StoredTable.of(structure));
    }

    @Override
    public void read(long position, MemorySegment into) throws IOException {
        MemorySegment entry = entryMemory();
        readEntry(position, entry);
        toType(entry, into, 0);
    }

    @Override
    public void check(long count, ProblemList problems) throws IOException {
        new MapTableCheck(structure, this, problems).check(count);
    }

    EntryLayout layout() {
        return layout;
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
        private final StoredTable table;
        private final StoredTable.Scan scan;
        private final MemorySegment after;
        private final MemorySegment entry = entryMemory();
        private final MemorySegment tags = MemorySegment.ofArray(new long[1]);
        private final MemorySegment word = MemorySegment.ofArray(new long[1]);
        private final MemorySegment entries;
        private final long[] positions;
        /// The slots of the entries that were read, as their offsets in the groups.
        private final long[] slots;
        private int count;

        Slots(StoredTable table) {
            this.table = table;
            scan = table.scan(bytes, groupsAtOnce);
            after = scan.window();
            slots = new long[(int) (after.byteSize() / StoredTable.GROUP) * EntryGroups.SLOTS];
            positions = new long[slots.length];
            entries = MemorySegment.ofArray(new long[(int) ((slots.length * typeByteSize + 7) / Long.BYTES)]);
        }

        @Override
        public boolean next() throws IOException {
            count = 0;
            while (count == 0 && scan.next()) {
                MemorySegment groups = scan.read();
                for (int i = 0; i < scan.count(); i++) {
                    long found = groups.get(LONG, (long) i * StoredTable.GROUP);
                    for (int j = 0; j < EntryGroups.SLOTS; j++) {
                        long slot = EntryGroups.slot((long) i * StoredTable.GROUP, j);
                        if (EntryGroups.tag(found, slot) != 0) {
                            add(groups, found, slot);
                        }
                    }
                }
                if (structure.mayChange()) {
                    checkUnchanged(groups);
                }
            }
            return count > 0;
        }

        private void add(MemorySegment groups, long found, long slot) throws IOException {
            long offset = EntryGroups.entry(groups.get(LONG, slot));
            boolean isLost = structure.state() == StructureState.LOST;
            if ((isLost || structure.mayChange()) && !isWithin(offset)) {
                // A slot without a meaning: it is lost, or its table was replaced meanwhile.
                return;
            }
            readEntry(offset, entry);
            // An entry that its owner may be changing is read again.
            if (structure.mayChange()
                    || (isIntact(entry, offset) && TagGroups.tag(hash(entry)) == EntryGroups.tag(found, slot))) {
                keep(offset, slot);
            } else if (!isLost) {
                structure.foundDamage();
                keep(offset, slot);
            }
        }

        private void keep(long offset, long slot) {
            toType(entry, entries, count * typeByteSize);
            slots[count] = slot;
            positions[count++] = offset;
        }

        private boolean isWithin(long offset) throws IOException {
            return offset >= StructureFormat.BYTE_SIZE && bytes.contains(offset + layout.byteSize());
        }

        /// Reads the entries again whose slots have changed meanwhile.
        private void checkUnchanged(MemorySegment groups) throws IOException {
            MemorySegment later = scan.read(after);
            int read = count;
            count = 0;
            for (int i = 0; i < read; i++) {
                long slot = slots[i];
                if (EntryGroups.tag(later.get(LONG, EntryGroups.group(slot)), slot) != 0
                        && later.get(LONG, slot) == groups.get(LONG, slot)) {
                    MemorySegment.copy(entries, i * typeByteSize, entries, count * typeByteSize, typeByteSize);
                    positions[count++] = positions[i];
                } else if (readAgain(slot)) {
                    keep(EntryGroups.entry(word.get(LONG, 0)), slot);
                }
            }
            if (structure.current(TagGroups.ROOT) != table.root()) {
                throw structure.changed("Structure has got another table");
            }
        }

        /// Returns whether the slot has an entry, which was read.
        private boolean readAgain(long slot) throws IOException {
            for (int i = 0; i < TRIES; i++) {
                readSlot(slot);
                long before = word.get(LONG, 0);
                if (EntryGroups.tag(tags.get(LONG, 0), slot) == 0) {
                    return false;
                }
                if (isWithin(EntryGroups.entry(before))) {
                    readEntry(EntryGroups.entry(before), entry);
                    readSlot(slot);
                    if (EntryGroups.tag(tags.get(LONG, 0), slot) != 0 && word.get(LONG, 0) == before) {
                        return true;
                    }
                }
            }
            throw structure.changed("Structure was changed all the time");
        }

        private void readSlot(long slot) throws IOException {
            bytes.read(scan.offset() + EntryGroups.group(slot), tags);
            bytes.read(scan.offset() + slot, word);
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
