package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.LongTableReader.Table;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Repairs a map from longs to longs after a failure of the machine, or after its bytes were changed. A new table gets
/// the pairs of each group whose check is right. Until the new table is on the device, the old table remains, and the
/// repair can begin again.
public final class LongTableRepair {
    private final OwnedMemory memory;
    private final LongTableReader reader;
    private long kept;
    private long dropped;

    private LongTableRepair(OwnedMemory memory) {
        this.memory = memory;
        reader = new LongTableReader(memory);
    }

    /// Repairs a map, unless all its pairs are intact.
    ///
    /// @throws IllegalStateException if the map has another table than it can have, or its root is damaged
    public static StructureRepair repair(OwnedMemory memory) {
        OwnedMemory.Condition condition = memory.condition();
        if (condition == OwnedMemory.Condition.NEW) {
            return new StructureRepair(0, 0);
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.LONG_MAP);
        LongTableRepair repair = new LongTableRepair(memory);
        if (condition != OwnedMemory.Condition.LOST) {
            if (repair.isIntact(condition == OwnedMemory.Condition.CLOSED)) {
                return new StructureRepair(0, 0);
            }
        }
        return repair.repair();
    }

    /// Whether the pairs are intact. After a kill, the check of one group can be late.
    private boolean isIntact(boolean isClosed) {
        Table table = reader.ownTable();
        MemorySegment segment = table.memory();
        long count = 0;
        long late = 0;
        for (long number = 0; number <= table.mask(); number++) {
            long group = table.group(number);
            long tags = segment.get(LONG, group);
            late += LongGroups.isIntact(segment, group) ? 0 : 1;
            count += LongGroups.size(tags);
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(tags, pair)
                        && LongGroups.tag(tags, pair) != LongGroups.tag(reader.hash(segment.get(LONG, pair)))) {
                    return false;
                }
            }
        }
        return isClosed ? late == 0 && count == segment.get(LONG, LongGroups.COUNT) : late <= 1;
    }

    private StructureRepair repair() {
        Table table = reader.ownTable();
        // Memory behind the file is new, whatever other pages contain.
        long offset = Sizes.alignUp(memory.segment().byteSize(), StructureFormat.BYTE_SIZE);
        int log = LongGroups.log(table.root());
        long byteSize = LongGroups.byteSize(log);
        // First: a recorded size that the file does not have is restored only if the structure is incomplete.
        memory.beginRepair();
        MemorySegment segment = memory.grow(offset + byteSize);
        Table repaired = new Table(segment, LongGroups.root(table.root(), offset, log), offset, (1L << log) - 1);
        for (long number = 0; number <= table.mask(); number++) {
            copy(table, number, repaired);
        }
        memory.force(offset, byteSize);
        segment.set(LONG, LongGroups.COUNT, kept);
        segment.set(LONG, LongGroups.EROSION, 0);
        LONG_HANDLE.setRelease(segment, LongGroups.ROOT, repaired.root());
        StructureFormat.endChange(segment);
        memory.close();
        return new StructureRepair(kept, dropped);
    }

    private void copy(Table from, long number, Table to) {
        MemorySegment segment = to.memory();
        long group = from.group(number);
        long tags = segment.get(LONG, group);
        boolean isIntact = LongGroups.isIntact(segment, group);
        for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
            long pair = LongGroups.pair(group, slot);
            if (!LongGroups.isUsed(tags, pair)) {
                continue;
            }
            long key = segment.get(LONG, pair);
            long hash = reader.hash(key);
            // A key can be in two groups whose pages are of different times.
            if (isIntact && LongGroups.tag(tags, pair) == LongGroups.tag(hash)
                    && LongTableReader.find(to, key, hash) < 0) {
                LongGroups.add(segment, to.offset(), to.mask(), hash, key,
                        segment.get(LONG, pair + LongGroups.VALUE));
                kept++;
            } else {
                dropped++;
            }
        }
    }
}
