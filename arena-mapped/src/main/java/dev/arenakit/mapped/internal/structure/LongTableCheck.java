package dev.arenakit.mapped.internal.structure;

import dev.arenakit.mapped.ImageEntries.Cursor;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.LongEntryReader.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map from longs to longs that nobody changes. [LongGroups] describes the format.
final class LongTableCheck {
    private static final long FREE_PROBES = 1 << 16;
    private static final long PROBES = 64;

    private final StoredStructure structure;
    private final LongEntryReader reader;
    private final Table table;
    private final ProblemList problems;
    /// The group that was read last.
    private final MemorySegment group = MemorySegment.ofArray(
            new long[(int) LongGroups.GROUP_BYTE_SIZE / Long.BYTES]);
    private long groupOffset = -1;
    private long checkedGroup = -1;
    /// The number of groups that may still be read. A table whose entries are far from their groups was made to keep a
    /// reader busy.
    private long probes;

    LongTableCheck(StoredStructure structure, LongEntryReader reader, ProblemList problems) throws IOException {
        this.structure = structure;
        this.reader = reader;
        this.problems = problems;
        table = reader.table();
    }

    /// @param count the number of entries
    void check(long count) throws IOException {
        String extents = Extents.problem(structure.header(), structure.bytes().byteSize());
        if (extents != null) {
            problems.add("List of extents is damaged: " + extents);
        } else if (!Extents.contains(structure.header(), Extents.TABLE, table.offset(),
                table.groups() << LongGroups.GROUP_SHIFT)) {
            problems.add("Table is in no extent: offset=0x" + Long.toHexString(table.offset()));
        }
        if (structure.state() == StructureState.CLOSED) {
            long recorded = reader.recordedCount();
            if (recorded != count) {
                problems.add("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
            }
            long erosion = structure.current(LongGroups.EROSION);
            if (erosion < 0 || erosion > LongGroups.capacity(Long.numberOfTrailingZeros(table.groups()))) {
                problems.add("Number of removed entries is wrong: erosion=" + erosion);
            }
        }
        probes = FREE_PROBES + count * PROBES;
        Cursor cursor = reader.cursor();
        while (cursor.next()) {
            for (int i = 0; i < cursor.count() && probes > 0; i++) {
                check(cursor.position(i), cursor.entries().get(LONG, i * 16L));
            }
        }
        if (probes <= 0) {
            problems.add("Entries are far from their groups, and not all of them were checked: groups="
                    + table.groups());
        }
    }

    private void check(long position, long key) throws IOException {
        long at = table.offset() + (position - table.offset() & -LongGroups.GROUP_BYTE_SIZE);
        read(at);
        // After a kill, a check can be late.
        if (at != checkedGroup && structure.state() == StructureState.CLOSED && !LongGroups.isIntact(group, 0)) {
            problems.add("Check of a group is wrong: offset=0x" + Long.toHexString(at));
        }
        checkedGroup = at;
        if (!reader.hasItsTag(group, position - at, group.get(LONG, 0))) {
            problems.add("Entry has a wrong tag: offset=0x" + Long.toHexString(position) + ", key=" + key);
            return;
        }
        long found = find(key);
        if (found != position && probes > 0) {
            problems.add((found < 0 ? "Entry cannot be found" : "Entry has the key of another entry") + ": offset=0x"
                    + Long.toHexString(position) + ", key=" + key
                    + (found < 0 ? "" : ", other=0x" + Long.toHexString(found)));
        }
    }

    /// The position at which the owner finds a key, or -1.
    private long find(long key) throws IOException {
        long hash = reader.hash(key);
        long tag = LongGroups.tag(hash);
        for (long probe = 0; probe < table.groups() && probes > 0; probe++) {
            read(table.group(hash + probe));
            long tags = group.get(LONG, 0);
            for (long matches = LongGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                long pair = LongGroups.pair(0, LongGroups.slot(matches));
                if (group.get(LONG, pair) == key) {
                    return groupOffset + pair;
                }
            }
            if ((tags & LongGroups.passedBit(hash)) == 0) {
                return -1;
            }
        }
        return -1;
    }

    /// Reads a group unless it was read last.
    private void read(long offset) throws IOException {
        if (offset != groupOffset) {
            structure.bytes().read(offset, group);
            groupOffset = offset;
            probes--;
        }
    }
}
