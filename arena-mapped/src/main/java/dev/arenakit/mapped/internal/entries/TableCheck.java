package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.table.TagGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a hash table that nobody changes. [TagGroups] describes tables.
abstract sealed class TableCheck permits LongTableCheck, MapTableCheck {
    /// The number of groups that are read at once.
    private static final int WINDOW = 1 << 11;
    /// The number of groups that may be read to find entries. A table whose entries are far from their groups was made to
    /// keep a reader busy.
    private static final long FREE_PROBES = 1 << 16;
    private static final long PROBES = 64;

    final StoredStructure structure;
    final ProblemList problems;
    private final StoredTable table;
    private final StoredTable.Scan scan;
    private final MemorySegment single = MemorySegment.ofArray(new long[StoredTable.GROUP / Long.BYTES]);
    private @Nullable MemorySegment window;
    private long probes;

    TableCheck(StoredStructure structure, ProblemList problems) throws IOException {
        this.structure = structure;
        this.problems = problems;
        table = StoredTable.of(structure);
        scan = table.scan(structure.bytes(), WINDOW);
    }

    /// The number of entries up to which a table is used.
    abstract long capacity(int log);

    /// Returns the bits of the slots with a tag, and possibly of others.
    abstract long matches(long tags, long tag);

    abstract long passedBit(long hash);

    /// Checks what the header of a closed structure has recorded beside the number of entries.
    abstract void checkRecorded(long count) throws IOException;

    /// Checks the entries of a group.
    ///
    /// @param groups memory with the group at an offset
    /// @param offset the offset of the group in the structure
    abstract void checkGroup(MemorySegment groups, long at, long offset) throws IOException;

    /// Whether a slot has the key that is sought.
    @FunctionalInterface
    interface KeyMatch {
        /// Whether a slot of a group has the key.
        ///
        /// @param groups memory with the group of the slot at an offset
        boolean isAt(MemorySegment groups, long at, int slot) throws IOException;
    }

    /// Checks what the header has recorded.
    ///
    /// @param count the number of entries
    final void check(long count) throws IOException {
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
            if (erosion < 0 || erosion > capacity(table.log())) {
                problems.add("Number of removed entries is wrong: erosion=" + erosion);
            }
            checkRecorded(count);
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

    /// Checks that the owner finds the key of an entry where the entry is.
    ///
    /// @param slot  the number of its slot, in the group at an offset of the structure
    /// @param label names the entry in messages
    final void checkFound(long hash, long group, int slot, String label, KeyMatch test) throws IOException {
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
            for (long matches = matches(tags, tag); matches != 0; matches &= matches - 1) {
                int found = TagGroups.slot(matches);
                if (offset == group && found == slot) {
                    return;
                }
                if (test.isAt(groups, at, found)) {
                    problems.add("Entry has the key of another entry: " + label + ", group=0x"
                            + Long.toHexString(offset) + ", slot=" + found);
                    return;
                }
            }
            if ((tags & passedBit(hash)) == 0) {
                break;
            }
        }
        if (probes > 0) {
            problems.add("Entry cannot be found: " + label);
        }
    }
}
