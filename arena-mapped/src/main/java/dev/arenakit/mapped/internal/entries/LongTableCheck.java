package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

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
    private MemorySegment window = MemorySegment.NULL;
    private long probes = FREE_PROBES;
    /// The number of entries before the present group, in the order in which they are read.
    private long index;

    LongTableCheck(StoredStructure structure, LongEntryReader reader, ProblemList problems) throws IOException {
        this.structure = structure;
        this.reader = reader;
        this.problems = problems;
        table = StoredTable.of(structure);
        scan = table.scan(structure.bytes(), WINDOW);
    }

    /// Checks the entries, and what the header has recorded.
    ///
    /// @return the number of entries
    long check() throws IOException {
        while (scan.next()) {
            window = scan.read();
            for (int i = 0; i < scan.count(); i++) {
                checkGroup((long) i * StoredTable.GROUP);
            }
        }
        if (probes <= 0) {
            problems.add("Entries are far from their groups, and not all of them were checked: groups="
                    + table.groups());
        }
        if (structure.state() == StructureState.CLOSED) {
            long recorded = structure.current(LongGroups.COUNT);
            if (recorded != index) {
                problems.add("Number of entries is wrong: recorded=" + recorded + ", found=" + index);
            }
            long erosion = structure.current(LongGroups.EROSION);
            if (erosion < 0 || erosion > LongGroups.capacity(table.log())) {
                problems.add("Number of removed entries is wrong: erosion=" + erosion);
            }
        }
        return index;
    }

    /// Checks the entries of the group at an offset of the window.
    private void checkGroup(long at) throws IOException {
        long offset = scan.offset() + at;
        long tags = window.get(LONG, at);
        // After a kill, a check can be late.
        if (structure.state() == StructureState.CLOSED && !LongGroups.isIntact(window, at)) {
            structure.foundDamage();
            problems.add("Check of a group is wrong: offset=0x" + Long.toHexString(offset) + ", index=" + index
                    + ", keys=" + LongStream.range(0, LongGroups.SLOTS)
                            .map(slot -> LongGroups.pair(at, (int) slot))
                            .filter(pair -> LongGroups.isUsed(tags, pair))
                            .map(pair -> window.get(LONG, pair))
                            .boxed()
                            .toList());
        }
        for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
            long pair = LongGroups.pair(at, slot);
            if (LongGroups.isUsed(tags, pair)) {
                long key = window.get(LONG, pair);
                String label = "offset=0x" + Long.toHexString(offset + pair - at) + ", index=" + index++ + ", key="
                        + key;
                if (!reader.hasItsTag(window, pair, tags)) {
                    problems.add("Entry has a wrong tag: " + label);
                } else if (probes > 0) {
                    probes += PROBES;
                    checkFound(key, offset, slot, label);
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
        long tag = LongGroups.tag(hash);
        for (long probe = 0; probe < table.groups() && probes-- > 0; probe++) {
            long offset = table.group(hash + probe);
            boolean isInWindow = offset >= scan.offset()
                    && offset < scan.offset() + (long) scan.count() * StoredTable.GROUP;
            MemorySegment groups = isInWindow ? window : single;
            long at = isInWindow ? offset - scan.offset() : 0;
            if (!isInWindow) {
                structure.bytes().read(offset, single);
            }
            long tags = groups.get(LONG, at);
            for (long matches = LongGroups.matches(tags, tag); matches != 0; matches &= matches - 1) {
                int found = LongGroups.slot(matches);
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
}
