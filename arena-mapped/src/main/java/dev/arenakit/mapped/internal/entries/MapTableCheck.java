package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.table.EntryGroups;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map of records. [EntryGroups] describes the format.
final class MapTableCheck extends TableCheck {
    private final MapEntryReader reader;
    private final long entryByteSize;
    private final MemorySegment entry;
    private final MemorySegment other;
    /// The number of entries before the present one, in the order in which they are read.
    private long index;

    MapTableCheck(StoredStructure structure, MapEntryReader reader, ProblemList problems) throws IOException {
        super(structure, problems);
        this.reader = reader;
        entryByteSize = reader.layout().byteSize();
        entry = reader.entryMemory();
        other = reader.entryMemory();
    }

    @Override
    long capacity(int log) {
        return EntryGroups.capacity(log);
    }

    @Override
    long matches(long tags, long tag) {
        return EntryGroups.matches(tags, tag);
    }

    @Override
    long passedBit(long hash) {
        return EntryGroups.passedBit(hash);
    }

    @Override
    void checkRecorded(long count) throws IOException {
        long most = structure.bytes().byteSize() / entryByteSize - count;
        MemorySegment next = MemorySegment.ofArray(new long[1]);
        long free = structure.current(EntryGroups.FREE);
        for (long found = 0; free != 0; found++) {
            if (!isEntry(free) || found > most) {
                problems.add("List of free entries is damaged: entry=0x" + Long.toHexString(free));
                return;
            }
            structure.bytes().read(free, next);
            free = next.get(LONG, 0);
        }
        long unused = structure.current(EntryGroups.UNUSED);
        long end = structure.current(EntryGroups.UNUSED_END);
        if (unused != end && (unused > end || !isEntry(unused) || !isEntry(end - entryByteSize))) {
            problems.add("Unused entries are damaged: unused=0x" + Long.toHexString(unused) + ", end=0x"
                    + Long.toHexString(end));
        }
    }

    @Override
    void checkGroup(MemorySegment groups, long at, long offset) throws IOException {
        long tags = groups.get(LONG, at);
        for (int i = 0; i < EntryGroups.SLOTS; i++) {
            long slot = EntryGroups.slot(at, i);
            long tag = EntryGroups.tag(tags, slot);
            if (tag != 0) {
                check(EntryGroups.entry(groups.get(LONG, slot)), tag, offset, i);
                index++;
            }
        }
    }

    private void check(long found, long tag, long group, int slot) throws IOException {
        String label = "entry=0x" + Long.toHexString(found) + ", group=0x" + Long.toHexString(group) + ", slot=" + slot
                + ", index=" + index;
        if (!isEntry(found)) {
            problems.add("Slot refers to no entry: " + label);
            return;
        }
        reader.readEntry(found, entry);
        if (!reader.isIntact(entry, found)) {
            problems.add("Check of an entry is wrong: " + label + key());
            return;
        }
        long hash = reader.hash(entry);
        if (TagGroups.tag(hash) != tag) {
            problems.add("Entry has a wrong tag: " + label + key());
            return;
        }
        checkFound(hash, group, slot, label, this::hasSameKey);
    }

    private String key() {
        return ", key=" + problems.key(entry.asSlice(reader.layout().keyOffset(), reader.layout().keyByteSize()));
    }

    private boolean hasSameKey(MemorySegment groups, long at, int slot) throws IOException {
        long found = EntryGroups.entry(groups.get(LONG, EntryGroups.slot(at, slot)));
        if (!isEntry(found)) {
            return false;
        }
        reader.readEntry(found, other);
        long from = reader.layout().keyOffset();
        long to = from + reader.layout().keyByteSize();
        return MemorySegment.mismatch(entry, from, to, other, from, to) < 0;
    }

    /// Whether an offset is the offset of an entry in an extent of entries.
    private boolean isEntry(long offset) {
        MemorySegment header = structure.header();
        for (int i = 0; i < Extents.count(header); i++) {
            long at = offset - Extents.offset(header, i);
            if (Extents.use(header, i) == Extents.ENTRIES && at >= 0
                    && at <= Extents.size(header, i) - entryByteSize) {
                return at % entryByteSize == 0;
            }
        }
        return false;
    }
}
