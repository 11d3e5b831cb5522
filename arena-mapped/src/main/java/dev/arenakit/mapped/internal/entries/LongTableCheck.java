package dev.arenakit.mapped.internal.entries;

import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.table.LongGroups;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;

/// Checks a map from longs to longs. [LongGroups] describes the format.
final class LongTableCheck extends TableCheck {
    private final LongEntryReader reader;
    /// The number of entries before the present group, in the order in which they are read.
    private long index;

    LongTableCheck(StoredStructure structure, LongEntryReader reader, ProblemList problems) throws IOException {
        super(structure, problems);
        this.reader = reader;
    }

    @Override
    long capacity(int log) {
        return LongGroups.capacity(log);
    }

    @Override
    long matches(long tags, long tag) {
        return LongGroups.matches(tags, tag);
    }

    @Override
    long passedBit(long hash) {
        return LongGroups.passedBit(hash);
    }

    @Override
    void checkRecorded(long count) {
        // There is nothing else.
    }

    @Override
    void checkGroup(MemorySegment groups, long at, long offset) throws IOException {
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
                    checkFound(reader.hash(key), offset, slot, label,
                            (found, group, other) -> found.get(LONG, LongGroups.pair(group, other)) == key);
                } else {
                    problems.add("Entry has a wrong tag: " + label);
                }
            }
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
