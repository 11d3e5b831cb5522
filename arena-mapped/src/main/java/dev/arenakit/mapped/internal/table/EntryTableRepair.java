package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.EntryTableReader.Table;
import java.lang.foreign.MemorySegment;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Repairs a map of records after a failure of the machine, or after its bytes were changed. A new table and a new
/// extent get the entries that slots refer to and whose check is right. Until both are on the device, the old table
/// remains, and the repair can begin again.
public final class EntryTableRepair {
    private final OwnedMemory memory;
    private final EntryTableReader reader;
    private final long entryByteSize;
    private final int words;
    private final Table from;
    /// The extent of the entries that are kept.
    private final long entries;
    private final long entriesByteSize;
    private final Table to;
    private long kept;
    private long dropped;
    /// The highest sequence of an entry that was kept. Sequences are compared by their differences, because they wrap.
    private int sequence;

    private EntryTableRepair(OwnedMemory memory, EntryLayout layout) {
        this.memory = memory;
        reader = new EntryTableReader(memory, layout);
        entryByteSize = layout.byteSize();
        words = layout.words();
        from = reader.table();
        long count = countSlots();
        int log = TagGroups.log(from.root());
        while (EntryGroups.capacity(log) < count) {
            log++;
        }
        // The pages of the list of extents may be older than the slots. Memory behind the file is new in any case.
        long table = Sizes.alignUp(memory.segment().byteSize(), StructureFormat.BYTE_SIZE);
        entries = table + EntryGroups.byteSize(log);
        entriesByteSize = Sizes.alignUp(Math.max(1, count) * entryByteSize, StructureFormat.BYTE_SIZE);
        MemorySegment segment = memory.grow(entries + entriesByteSize);
        to = new Table(segment, TagGroups.root(from.root(), table, log), table, (1L << log) - 1,
                segment.byteSize() - entryByteSize);
    }

    /// Repairs a map, unless all its entries are intact.
    ///
    /// @throws IllegalStateException if the map has another table than it can have, or its root is damaged
    public static StructureRepair repair(OwnedMemory memory, EntryLayout layout) {
        OwnedMemory.Condition condition = memory.condition();
        if (condition == OwnedMemory.Condition.NEW) {
            return new StructureRepair(0, 0);
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.MAP);
        if (condition != OwnedMemory.Condition.LOST
                && isIntact(memory, layout, condition == OwnedMemory.Condition.CLOSED)) {
            return new StructureRepair(0, 0);
        }
        // First: a recorded size that the file does not have is restored only if the structure is incomplete.
        memory.beginRepair();
        return new EntryTableRepair(memory, layout).repair();
    }

    /// Whether each slot refers to an intact entry.
    ///
    /// @param isCounted whether the recorded number of entries is right if nothing is damaged
    /// @throws IllegalStateException if the root is damaged
    private static boolean isIntact(OwnedMemory memory, EntryLayout layout, boolean isCounted) {
        EntryTableReader reader = new EntryTableReader(memory, layout);
        Table table = reader.table();
        new Extents(memory).checkRoot(table.offset(), table.byteSize());
        long count = 0;
        for (long number = 0; number <= table.mask(); number++) {
            long tags = table.memory().get(LONG, table.group(number));
            for (int i = 0; i < EntryGroups.SLOTS; i++) {
                long slot = EntryGroups.slot(table.group(number), i);
                long tag = EntryGroups.tag(tags, slot);
                if (tag != 0) {
                    count++;
                    if (!isIntact(reader, table, EntryGroups.entry(table.memory().get(LONG, slot)), tag)) {
                        return false;
                    }
                }
            }
        }
        return !isCounted || count == table.memory().get(LONG, TagGroups.COUNT);
    }

    private static boolean isIntact(EntryTableReader reader, Table table, long entry, long tag) {
        return entry >= StructureFormat.BYTE_SIZE && entry <= table.limit()
                && EntryGroups.isIntact(table.memory(), entry, reader.layout.words())
                && TagGroups.tag(reader.hash(table.memory(), entry)) == tag;
    }

    private long countSlots() {
        long count = 0;
        for (long number = 0; number <= from.mask(); number++) {
            count += EntryGroups.size(from.memory().get(LONG, from.group(number)));
        }
        return count;
    }

    private StructureRepair repair() {
        for (long number = 0; number <= from.mask(); number++) {
            long tags = from.memory().get(LONG, from.group(number));
            for (int i = 0; i < EntryGroups.SLOTS; i++) {
                long slot = EntryGroups.slot(from.group(number), i);
                long tag = EntryGroups.tag(tags, slot);
                if (tag != 0 && !keep(EntryGroups.entry(from.memory().get(LONG, slot)), tag)) {
                    dropped++;
                }
            }
        }
        memory.force(to.offset(), entries + entriesByteSize - to.offset());
        finish(to.memory());
        return new StructureRepair(kept, dropped);
    }

    /// Copies an entry, if it is intact and fits to the tag of its slot. A key can have several entries, because pages
    /// are of different times. The entry that was written last is kept.
    ///
    /// @return whether the number of entries of the new table has grown
    private boolean keep(long entry, long tag) {
        if (!isIntact(reader, from, entry, tag)) {
            return false;
        }
        MemorySegment segment = to.memory();
        long hash = reader.hash(segment, entry);
        int number = sequence(segment, entry);
        if (kept == 0 || number - sequence > 0) {
            sequence = number;
        }
        long slot = reader.find(to, segment.asSlice(entry, entryByteSize), hash);
        if (slot >= 0) {
            long other = EntryGroups.entry(segment.get(LONG, slot));
            if (number - sequence(segment, other) > 0) {
                copy(entry, other);
            }
            return false;
        }
        long copy = entries + kept * entryByteSize;
        copy(entry, copy);
        EntryGroups.addToFirst(segment, to.offset(), to.mask(), hash, copy);
        kept++;
        return true;
    }

    private static int sequence(MemorySegment segment, long entry) {
        return (int) (segment.get(LONG, entry) >>> 32);
    }

    private void copy(long entry, long copy) {
        MemorySegment segment = to.memory();
        MemorySegment.copy(segment, entry + EntryGroups.HEADER, segment, copy + EntryGroups.HEADER,
                (long) words * Long.BYTES);
        segment.set(LONG, copy, EntryGroups.header(segment, copy + EntryGroups.HEADER, words, copy,
                sequence(segment, entry)));
    }

    private void finish(MemorySegment segment) {
        long tableByteSize = entries - to.offset();
        Extents.replace(segment, StructureFormat.BYTE_SIZE, to.offset(), tableByteSize);
        Extents.set(segment, 2, entries, entriesByteSize, Extents.ENTRIES);
        segment.set(LONG, TagGroups.COUNT, kept);
        segment.set(LONG, TagGroups.EROSION, 0);
        segment.set(LONG, EntryGroups.SEQUENCE, (sequence & 0xFFFF_FFFFL) + 1);
        segment.set(LONG, EntryGroups.FREE, 0);
        segment.set(LONG, EntryGroups.UNUSED, entries + kept * entryByteSize);
        segment.set(LONG, EntryGroups.UNUSED_END, entries + entriesByteSize / entryByteSize * entryByteSize);
        LONG_HANDLE.setRelease(segment, TagGroups.ROOT, to.root());
        memory.close();
    }
}
