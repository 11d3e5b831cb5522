package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.table.LongGroups;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map from longs to longs that nobody changes. [LongGroups] describes the format.
final class LongTableCheck {
    /// The number of groups that are read at once.
    private static final int WINDOW = 1 << 11;
    /// The number of groups that may be read to find entries. A table whose entries are far from their groups was made
    /// to keep a reader busy.
    private static final long FREE_PROBES = 1 << 16;
    private static final long PROBES = 64;

    private final StoredStructure structure;
    private final LongEntryReader reader;
    private final ProblemList problems;
    private final StoredTable table;
    private final StoredTable.Scan scan;
    private final MemorySegment single = MemorySegment.ofArray(new long[StoredTable.GROUP / Long.BYTES]);
    private @Nullable MemorySegment window;
    private long probes;
    /// The number of entries before the present group, in the order in which they are read.
    private long index;

    LongTableCheck(StoredStructure structure, LongEntryReader reader, ProblemList problems) throws IOException {
        this.structure = structure;
        this.reader = reader;
        this.problems = problems;
        table = StoredTable.of(structure);
        scan = table.scan(structure.bytes(), WINDOW);
    }

    /// Checks what the header has recorded, and the entries.
    ///
    /// @param count the number of entries
    void check(long count) throws IOException {
        String extents = Extents.problem(structure.header(), structure.bytes().byteSize());
        if (extents != null) {
            problems.add("List of extents is damaged: " + extents);
            return;
        }
        if (!Extents.contains(structure.header(), Extents.TABLE, table.offset(), table.byteSize())) {
            problems.add("Table is in no extent: offset=0x" + Long.toHexString(table.offset()));
        }
        if (structure.state() == StructureState.CLOSED) {
            long recorded = structure.current(TagGroups.COUNT);
            if (recorded != count) {
                problems.add("Number of entries is wrong: recorded=" + recorded + ", found=" + count);
            }
            long erosion = structure.current(TagGroups.EROSION);
            if (erosion < 0 || erosion > LongGroups.capacity(table.log())) {
                problems.add("Number of removed entries is wrong: erosion=" + erosion);
            }
        }
        probes = FREE_PROBES + count * PROBES;
        while (probes > 0 && scan.next()) {
            MemorySegment groups = scan.read();
            window = groups;
            for (int i = 0; i < scan.count() && probes > 0; i++) {
                long at = (long) i * StoredTable.GROUP;
                checkGroup(groups, at, scan.offset() + at);
            }
        }
        if (probes <= 0) {
            problems.add("Entries are far from their groups, and not all of them were checked: groups="
                    + table.groups());
        }
    }

    /// Checks the entries of a group.
    ///
    /// @param groups memory with the group at an offset
    /// @param offset the offset of the group in the structure
    private void checkGroup(MemorySegment groups, long at, long offset) throws IOException {
        // After a kill, a check can be late.
        if (structure.state() == StructureState.CLOSED && !LongGroups.isIntact(groups, at)) {
            problems.add(
                    "Check of a group is wrong: offset=0x" + Long.toHexString(offset) + ", index=" + index + ", keys="
                            + keys(groups, at));
        }
        long tags = groups.get(LONG, at);
        for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
            long pair = LongGroups.pair(at, slot);
            if (LongGroups.isUsed(tags, pair)) {
                long key = groups.get(LONG, pair);
                String label = "offset=0x" + Long.toHexString(offset + pair - at) + ", index=" + index++ + ", key="
                        + key;
                if (reader.hasItsTag(groups, pair, tags)) {
                    checkFound(key, offset, slot, label);
                } else {
                    problems.add("Entry has a wrong tag: " + label);
                }
            }
        }
    }

    /// Checks that the owner finds a key where its entry is.
    ///
    /// @param slot  the number of its slot, in the group at an offset of the structure
    /// @param label names the entry in messages
    private void checkFound(long key, long group, int slot, String label) throws IOException {
        long hash = reader.hash(key);
        long tag = TagGroups.tag(hash);
        for (long probe = 0; probe < table.groups() && probes-- > 0; probe++) {
            long offset = table.group(hash + probe);
            boolean isInWindow = offset >= scan.offset()
                    && offset < scan.offset() + (long) scan.count() * StoredTable.GROUP;
            MemorySegment groups = isInWindow && window != null ? window : single;
            long at = isInWindow ? offset - scan.offset() : 0;
            if (!isInWindow) {
                structure.bytes().read(offset, single);
            }
            long tags = groups.get(LONG, at);
            for (long matches = LongGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                int found = TagGroups.slot(matches);
                if (offset == group && found == slot) {
                    return;
                }
                if (groups.get(LONG, LongGroups.pair(at, found)) == key) {
                    problems.add("Entry has the key of another entry: " + label + ", group=0x"
                            + Long.toHexString(offset) + ", slot=" + found);
                    return;
                }
            }
            if ((tags & LongGroups.passedBit(hash)) == 0) {
                break;
            }
        }
        if (probes > 0) {
            problems.add("Entry cannot be found: " + label);
        }
    }

    private static List<Long> keys(MemorySegment groups, long at) {
        long tags = groups.get(LONG, at);
        return LongStream.range(0, LongGroups.SLOTS)
                .map(slot -> LongGroups.pair(at, (int) slot))
                .filter(pair -> LongGroups.isUsed(tags, pair))
                .map(pair -> groups.get(LONG, pair))
                .boxed()
                .toList();
    }
}
