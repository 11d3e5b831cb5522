package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.stream.LongStream;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map from longs to longs that nobody changes. [LongGroups] describes the format.
final class LongTableCheck {
    /// The number of groups that may be read to find entries. A table whose entries are far from their groups was made
    /// to keep a reader busy.
    private static final long FREE_PROBES = 1 << 16;
    private static final long PROBES = 64;

    private final EntrySource source;
    private final Consumer<? super String> problems;
    private final StoredTable table;
    private final MemorySegment window;
    private final MemorySegment single = MemorySegment.ofArray(new long[StoredTable.GROUP / Long.BYTES]);
    private final long seed;
    private long probes = FREE_PROBES;
    /// The number of entries before the present group, in the order in which they are read.
    private long index;

    LongTableCheck(EntrySource source, Consumer<? super String> problems) throws IOException {
        this.source = source;
        this.problems = problems;
        table = new StoredTable(source);
        window = table.newWindow();
        seed = source.header().get(LONG, StructureFormat.SEED);
    }

    /// Checks the entries, and what the header has recorded.
    ///
    /// @return the number of entries
    long check() throws IOException {
        boolean isClosed = source.state() == StructureState.CLOSED;
        while (table.next()) {
            table.read(window);
            for (long group = 0; group < table.byteSize(); group += StoredTable.GROUP) {
                // After a kill, a check can be late.
                if (isClosed && !LongGroups.isIntact(window, group)) {
                    problems.accept("Check of a group is wrong: offset=0x" + Long.toHexString(table.offset() + group)
                            + ", index=" + index + ", keys=" + keys(group));
                }
                for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                    checkPair(group, slot);
                }
            }
        }
        if (probes <= 0) {
            problems.accept("Entries are far from their groups, and not all of them were checked: groups="
                    + table.groups);
        }
        if (isClosed) {
            long recorded = source.current(LongGroups.COUNT);
            if (recorded != index) {
                problems.accept("Number of entries is wrong: recorded=" + recorded + ", found=" + index);
            }
            long erosion = source.current(LongGroups.EROSION);
            if (erosion < 0 || erosion > LongGroups.capacity(LongGroups.log(table.root))) {
                problems.accept("Number of removed entries is wrong: erosion=" + erosion);
            }
        }
        return index;
    }

    private String keys(long group) {
        return LongStream.range(0, LongGroups.SLOTS)
                .map(slot -> LongGroups.pair(group, (int) slot))
                .filter(pair -> LongGroups.isUsed(window, pair))
                .mapToObj(pair -> String.valueOf(window.get(LONG, pair)))
                .toList()
                .toString();
    }

    private void checkPair(long group, int slot) throws IOException {
        long pair = LongGroups.pair(group, slot);
        if (!LongGroups.isUsed(window, pair)) {
            return;
        }
        long key = window.get(LONG, pair);
        String label = "offset=0x" + Long.toHexString(table.offset() + pair) + ", index=" + index++ + ", key=" + key;
        if (!LongGroups.hasItsTag(window, pair, seed)) {
            problems.accept("Entry has a wrong tag: " + label);
        } else if (probes > 0) {
            probes += PROBES;
            checkFound(key, group, slot, label);
        }
    }

    /// Checks that the owner finds a key where its entry is.
    ///
    /// @param slot  the number of its slot, in the group at an offset of the window
    /// @param label names the entry in messages
    private void checkFound(long key, long group, int slot, String label) throws IOException {
        long hash = LongGroups.hash(key, seed);
        for (long probe = 0; probe < table.groups && probes-- > 0; probe++) {
            long offset = table.group(hash + probe);
            boolean isOwn = offset == table.offset() + group;
            MemorySegment groups = isOwn ? window : single;
            long at = isOwn ? group : 0;
            if (!isOwn) {
                source.bytes().read(offset, single);
            }
            long tags = groups.get(LONG, at);
            for (long matches = LongGroups.matches(tags, LongGroups.tag(hash)); matches != 0; matches &= matches - 1) {
                int found = LongGroups.slot(matches);
                if (isOwn && found == slot) {
                    return;
                }
                if (groups.get(LONG, LongGroups.pair(at, found)) == key) {
                    problems.accept("Entry has the key of another entry: " + label + ", group=0x"
                            + Long.toHexString(offset) + ", slot=" + found);
                    return;
                }
            }
            if ((tags & LongGroups.passedBit(hash)) == 0) {
                break;
            }
        }
        if (probes > 0) {
            problems.accept("Entry cannot be found: " + label);
        }
    }
}
