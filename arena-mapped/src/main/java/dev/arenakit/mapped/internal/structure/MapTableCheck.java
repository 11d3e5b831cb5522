package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.MapEntryReader.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map of records that nobody changes. [EntryGroups] describes the format.
final class MapTableCheck {
    private static final long FREE_PROBES = 1 << 16;
    private static final long PROBES = 64;

    private final StoredStructure structure;
    private final MapEntryReader reader;
    private final Table table;
    private final ProblemList problems;
    private final MemorySegment group = MemorySegment.ofArray(
            new long[(int) EntryGroups.GROUP_BYTE_SIZE / Long.BYTES]);
    private final MemorySegment probed = MemorySegment.ofArray(
            new long[(int) EntryGroups.GROUP_BYTE_SIZE / Long.BYTES]);
    private final MemorySegment entry;
    private final MemorySegment other;
    /// The number of reads that are left. A table whose entries are far from their groups was made to keep a reader
    /// busy.
    private long probes;

    MapTableCheck(MapEntryReader reader, ProblemList problems) throws IOException {
        this.reader = reader;
        this.problems = problems;
        structure = reader.structure;
        table = reader.table();
        entry = reader.entryMemory();
        other = reader.entryMemory();
    }

    /// @param count the number of entries
    void check(long count) throws IOException {
        String extents = Extents.problem(structure.header(), structure.bytes().byteSize());
        if (extents != null) {
            problems.add("List of extents is damaged: " + extents);
            return;
        }
        if (!Extents.contains(structure.header(), Extents.TABLE, table.offset(),
                table.groups() << EntryGroups.GROUP_SHIFT)) {
            problems.add("Table is in no extent: offset=0x" + Long.toHexString(table.offset()));
        }
        if (structure.state() == StructureState.CLOSED) {
            checkRecorded(count);
        }
        probes = FREE_PROBES + count * PROBES;
        for (long number = 0; number < table.groups() && probes > 0;) {
            long offset = table.group(number);
            long empty = structure.bytes().nextData(offset) - offset >>> EntryGroups.GROUP_SHIFT;
            if (empty == 0) {
                checkGroup(offset);
            }
            number += Math.max(1, empty);
        }
        if (probes <= 0) {
            problems.add("Entries are far from their groups, and not all of them were checked: groups="
                    + table.groups());
        }
    }

    private void checkRecorded(long count) throws IOException {
        long recorded = reader.recordedCount();
        if (recorded != count) {
            problems.add("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
        }
        long erosion = structure.current(LongGroups.EROSION);
        if (erosion < 0 || erosion > LongGroups.capacity(Long.numberOfTrailingZeros(table.groups()))) {
            problems.add("Number of removed entries is wrong: erosion=" + erosion);
        }
        checkFree(structure.bytes().byteSize() / reader.layout.byteSize() - count);
    }

    /// @param most no more entries can be free
    private void checkFree(long most) throws IOException {
        MemorySegment next = MemorySegment.ofArray(new long[1]);
        long free = structure.current(EntryGroups.FREE);
        for (long count = 0; free != 0; count++) {
            if (!isEntry(free) || count > most) {
                problems.add("List of free entries is damaged: entry=0x" + Long.toHexString(free));
                return;
            }
            structure.bytes().read(free, next);
            free = next.get(LONG, 0);
        }
        long unused = structure.current(EntryGroups.UNUSED);
        long end = structure.current(EntryGroups.UNUSED_END);
        if (unused != end && (unused > end || !isEntry(unused) || !isEntry(end - reader.layout.byteSize()))) {
            problems.add("Unused entries are damaged: unused=0x" + Long.toHexString(unused) + ", end=0x"
                    + Long.toHexString(end));
        }
    }

    private void checkGroup(long offset) throws IOException {
        structure.bytes().read(offset, group);
        long tags = group.get(LONG, 0);
        for (int i = 0; i < LongGroups.SLOTS && probes > 0; i++) {
            long slot = EntryGroups.slot(0, i);
            if (EntryGroups.tag(tags, slot) != 0) {
                check(offset + slot, EntryGroups.entry(group.get(LONG, slot)), EntryGroups.tag(tags, slot));
            }
        }
    }

    private void check(long slot, long offset, long tag) throws IOException {
        if (!isEntry(offset)) {
            problems.add("Slot refers to no entry: slot=0x" + Long.toHexString(slot) + ", entry=0x"
                    + Long.toHexString(offset));
            return;
        }
        reader.readEntry(offset, entry);
        if (!reader.isIntact(entry, offset)) {
            problems.add("Check of an entry is wrong: offset=0x" + Long.toHexString(offset));
            return;
        }
        long hash = reader.hash(entry);
        if (LongGroups.tag(hash) != tag) {
            problems.add("Entry has a wrong tag: offset=0x" + Long.toHexString(offset));
            return;
        }
        long found = find(hash);
        if (found != slot && probes > 0) {
            problems.add((found < 0 ? "Entry cannot be found" : "Entry has the key of another entry") + ": offset=0x"
                    + Long.toHexString(offset) + (found < 0 ? "" : ", slot=0x" + Long.toHexString(found)));
        }
    }

    /// The slot at which the owner finds the key of the entry, or -1.
    private long find(long hash) throws IOException {
        for (long probe = 0; probe < table.groups() && probes > 0; probe++) {
            long offset = table.group(hash + probe);
            structure.bytes().read(offset, probed);
            probes--;
            long tags = probed.get(LONG, 0);
            for (long matches = LongGroups.matches(tags, LongGroups.tag(hash)); matches != 0; matches &= matches - 1) {
                long slot = EntryGroups.slot(0, LongGroups.slot(matches));
                long found = EntryGroups.entry(probed.get(LONG, slot));
                if (isEntry(found) && hasSameKey(found)) {
                    return offset + slot;
                }
            }
            if ((tags & LongGroups.passedBit(hash)) == 0) {
                return -1;
            }
        }
        return -1;
    }

    private boolean hasSameKey(long offset) throws IOException {
        reader.readEntry(offset, other);
        long at = reader.layout.keyOffset();
        long end = at + reader.layout.keyByteSize();
        return MemorySegment.mismatch(entry, at, end, other, at, end) < 0;
    }

    /// Whether an offset is the offset of an entry in an extent of entries.
    private boolean isEntry(long offset) {
        MemorySegment header = structure.header();
        long byteSize = reader.layout.byteSize();
        for (int i = 0; i < Extents.count(header); i++) {
            long at = offset - Extents.offset(header, i);
            if (Extents.use(header, i) == Extents.ENTRIES && at >= 0 && at <= Extents.size(header, i) - byteSize) {
                return at % byteSize == 0;
            }
        }
        return false;
    }
}
