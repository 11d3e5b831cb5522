package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.OutOfLine;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.internal.structure.Extents;
import dev.arenakit.mapped.internal.structure.OpenStructure;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.EntryTableReader.Table;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.BiPredicate;
import java.util.random.RandomGenerator;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Changes a map of records. [EntryGroups] describes the format. One thread at a time uses an instance.
public final class EntryTable implements OpenStructure {
    /* As in LongTable, all state is in the memory, except for the phase. */

    private static final int FIRST_LOG = 6;

    /// No change has been made since the structure was opened, or closed.
    private static final int UNCHANGED = 0;
    private static final int OPEN = 1;
    /// A change has begun. It is not complete, or an Error has interrupted it.
    private static final int CHANGING = 2;

    private final OwnedMemory memory;
    private final Extents extents;
    private final EntryTableReader reader;
    private final EntrySpace space;
    private final EntryScratch scratch;
    private final long keyOffset;
    private final long valueOffset;
    private int phase = UNCHANGED;

    private EntryTable(OwnedMemory memory, EntryLayout layout) {
        this.memory = memory;
        extents = new Extents(memory);
        reader = new EntryTableReader(memory, layout);
        space = new EntrySpace(memory, extents, reader);
        scratch = new EntryScratch(layout.byteSize(), layout.byteAlignment());
        keyOffset = layout.keyOffset();
        valueOffset = layout.valueOffset();
    }

    /// Opens a map, or creates it.
    public static EntryTable open(OwnedMemory memory, EntryLayout layout) {
        switch (memory.condition()) {
            case NEW -> create(memory, layout);
            case LOST -> throw StructureFormat.lost(memory.name());
            case CLOSED, KILLED -> {
            }
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.MAP);
        EntryTable table = new EntryTable(memory, layout);
        Table present = table.reader.ownTable();
        table.extents.check(present.offset(), present.byteSize());
        if (memory.condition() == OwnedMemory.Condition.KILLED || !table.isPossible()) {
            table.phase = CHANGING;
            table.beginFirst();
            table.phase = OPEN;
        }
        return table;
    }

    /// A creator that was killed may have left extents.
    private static void create(OwnedMemory memory, EntryLayout layout) {
        MemorySegment segment = memory.grow(StructureFormat.BYTE_SIZE);
        segment.asSlice(0, StructureFormat.BYTE_SIZE).fill((byte) 0);
        long table = new Extents(memory).allocate(EntryGroups.byteSize(FIRST_LOG), Extents.TABLE);
        segment = memory.segment();
        segment.set(LONG, TagGroups.ROOT, TagGroups.root(-1, table, FIRST_LOG));
        segment.set(LONG, StructureFormat.STATE, StructureFormat.CLOSED);
        memory.force(0, segment.byteSize());
        StructureFormat.write(segment, StructureKind.MAP, RandomGenerator.getDefault().nextLong(),
                layout.keyByteSize(), layout.valueByteSize());
    }

    /// A reader for other threads.
    public EntryTableReader newReader() {
        return new EntryTableReader(memory, reader.layout);
    }

    /// Returns the value of a key.
    public <K, V> V get(RecordMapper<K> keys, K key, RecordMapper<V> values, V missing) {
        MemorySegment written = reader.tryWrite(keys, key);
        if (written == null) {
            return missing;
        }
        long entry = find(OutOfLine.CALLS, written);
        return entry < 0 ? missing : values.get(reader.ownTable().memory(), entry + valueOffset);
    }

    /// Whether there is a key.
    public <K> boolean containsKey(RecordMapper<K> keys, K key) {
        MemorySegment written = reader.tryWrite(keys, key);
        return written != null && find(OutOfLine.CALLS, written) >= 0;
    }

    /// Finds an entry.
    ///
    /// @return its offset, or -1
    private long find(int calls, MemorySegment written) {
        if (calls > 0) {
            return find(calls - 1, written);
        }
        Table table = reader.ownTable();
        long slot = reader.find(table, written, reader.hash(written));
        reader.giveBack(written);
        return slot < 0 ? -1 : EntryGroups.entry(table.memory().get(LONG, slot));
    }

    /// Associates a value with a key.
    ///
    /// @return whether the key was added
    public <K, V> boolean put(RecordMapper<K> keys, K key, RecordMapper<V> values, V value) {
        return put(OutOfLine.CALLS, write(keys, key, values, value), true);
    }

    /// Associates a value with a key, unless the key has a value.
    ///
    /// @return whether the key was added
    public <K, V> boolean putIfAbsent(RecordMapper<K> keys, K key, RecordMapper<V> values, V value) {
        return put(OutOfLine.CALLS, write(keys, key, values, value), false);
    }

    /// Writes an entry before the change begins, because accessors of records can throw, or change the map.
    private <K, V> MemorySegment write(RecordMapper<K> keys, K key, RecordMapper<V> values, V value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        MemorySegment written = scratch.takeForChange();
        keys.set(written, keyOffset, key);
        values.set(written, valueOffset, value);
        return written;
    }

    /// Puts an entry. Its records need not become objects if this method is not inlined: see [OutOfLine].
    private boolean put(int calls, MemorySegment written, boolean isReplaced) {
        if (calls > 0) {
            return put(calls - 1, written, isReplaced);
        }
        Table table = begin();
        long hash = reader.hash(written);
        long slot = reader.find(table, written, hash);
        boolean isNew = slot < 0;
        if (isNew) {
            add(table, hash, written);
        } else if (isReplaced) {
            replace(table, slot, written);
        }
        phase = OPEN;
        scratch.giveBackAfterChange(written);
        return isNew;
    }

    /// Removes a key.
    ///
    /// @return whether it was there
    public <K> boolean remove(RecordMapper<K> keys, K key) {
        MemorySegment written = reader.tryWrite(keys, key);
        if (written == null) {
            return false;
        }
        return remove(OutOfLine.CALLS, written);
    }

    private boolean remove(int calls, MemorySegment written) {
        if (calls > 0) {
            return remove(calls - 1, written);
        }
        Table table = begin();
        long slot = reader.find(table, written, reader.hash(written));
        boolean isPresent = slot >= 0;
        if (isPresent) {
            remove(table, slot);
        }
        phase = OPEN;
        reader.giveBack(written);
        return isPresent;
    }

    /// Removes the entries that a filter selects.
    ///
    /// @return their number
    public <K, V> long removeIf(RecordMapper<K> keys, RecordMapper<V> values,
            BiPredicate<? super K, ? super V> filter) {
        long removed = 0;
        EntryWalk<K, V> walk = new EntryWalk<>(reader, keys, values);
        while (walk.moveNext()) {
            if (filter.test(walk.key(), walk.value())) {
                Table table = begin();
                if (walk.isUnchanged()) {
                    remove(table, walk.slot());
                    removed++;
                }
                phase = OPEN;
            }
        }
        return removed;
    }

    /// Removes all entries.
    public void clear() {
        Table table = begin();
        MemorySegment empty = exchange(table, FIRST_LOG, false).memory();
        empty.set(LONG, TagGroups.COUNT, 0);
        space.clear(empty);
        phase = OPEN;
    }

    private void add(Table table, long hash, MemorySegment written) {
        Table roomy = table;
        long count = table.memory().get(LONG, TagGroups.COUNT);
        if (count >= EntryGroups.capacity(TagGroups.log(table.root()))
                - table.memory().get(LONG, TagGroups.EROSION)) {
            roomy = rehash(table, count);
        }
        long entry = addEntry(roomy, written);
        MemorySegment segment = reader.ownTable().memory();
        EntryGroups.addToFirst(segment, roomy.offset(), roomy.mask(), hash, entry);
        segment.set(LONG, TagGroups.COUNT, count + 1);
    }

    private void replace(Table table, long slot, MemorySegment written) {
        long freed = reader.entry(table, slot);
        long entry = addEntry(table, written);
        MemorySegment segment = reader.ownTable().memory();
        LONG_HANDLE.setRelease(segment, slot, EntryGroups.word(segment.get(LONG, slot), entry));
        space.free(segment, freed);
    }

    /// Writes an entry. If there is no memory for it, nothing has changed.
    private long addEntry(Table table, MemorySegment written) {
        try {
            return space.add(table, written);
        } catch (RuntimeException e) {
            phase = OPEN;
            throw e;
        }
    }

    private void remove(Table table, long slot) {
        long freed = reader.entry(table, slot);
        MemorySegment segment = table.memory();
        long group = EntryGroups.group(slot);
        long tags = segment.get(LONG, group);
        LONG_HANDLE.setRelease(segment, group, tags & ~(0xFFL << EntryGroups.tagShift(slot)));
        segment.set(LONG, TagGroups.COUNT, segment.get(LONG, TagGroups.COUNT) - 1);
        if (EntryGroups.isPassed(tags)) {
            segment.set(LONG, TagGroups.EROSION, segment.get(LONG, TagGroups.EROSION) + 1);
        }
        space.free(segment, freed);
    }

    /// Moves all slots to a new table, which is twice as large unless many entries were removed.
    private Table rehash(Table table, long count) {
        int log = TagGroups.log(table.root());
        return exchange(table, count > EntryGroups.capacity(log) / 2 ? log + 1 : log, true);
    }

    /// Replaces the table. If there is no memory for the new table, nothing has changed.
    ///
    /// @param isCopied whether the new table gets the slots
    private Table exchange(Table table, int log, boolean isCopied) {
        long to = newTable(table, log, isCopied);
        MemorySegment segment = memory.segment();
        LONG_HANDLE.setRelease(segment, TagGroups.ROOT, TagGroups.root(table.root(), to, log));
        segment.set(LONG, TagGroups.EROSION, 0);
        // The old table may be overwritten only if the device has the new root.
        memory.force(0, StructureFormat.BYTE_SIZE);
        extents.release(table.offset());
        return reader.ownTable();
    }

    /// Writes a new table to the device.
    ///
    /// @return its offset
    private long newTable(Table table, int log, boolean isCopied) {
        long byteSize = EntryGroups.byteSize(log);
        try {
            long to = extents.allocate(byteSize, Extents.TABLE);
            if (isCopied) {
                copy(table, memory.segment(), to, (1L << log) - 1);
            }
            memory.force(to, byteSize);
            return to;
        } catch (RuntimeException e) {
            extents.releaseUnless(Extents.TABLE, offset -> offset == table.offset());
            phase = OPEN;
            throw e;
        }
    }

    private void copy(Table table, MemorySegment segment, long to, long mask) {
        for (long number = 0; number <= table.mask(); number++) {
            long group = table.group(number);
            long tags = segment.get(LONG, group);
            for (int i = 0; i < EntryGroups.SLOTS; i++) {
                long slot = EntryGroups.slot(group, i);
                if (EntryGroups.tag(tags, slot) != 0) {
                    long entry = reader.entry(table, slot);
                    EntryGroups.addToFirst(segment, to, mask, reader.hash(segment, entry), entry);
                }
            }
        }
    }

    /// Begins a change.
    ///
    /// @return the present table
    private Table begin() {
        // Wrong threads and closed arenas are refused here.
        Table table = reader.ownTable();
        if (phase != OPEN) {
            beginFirst();
        }
        phase = CHANGING;
        return table;
    }

    private void beginFirst() {
        // Before free entries are listed again: if that is interrupted, the structure must not count as closed.
        memory.open();
        if (phase == CHANGING) {
            recover();
        }
    }

    /// Whether the recorded numbers are possible.
    private boolean isPossible() {
        Table table = reader.ownTable();
        long count = table.memory().get(LONG, TagGroups.COUNT);
        long erosion = table.memory().get(LONG, TagGroups.EROSION);
        long capacity = EntryGroups.capacity(TagGroups.log(table.root()));
        return count >= 0 && count <= capacity && erosion >= 0 && erosion <= capacity && space.isPossible(table);
    }

    /// Computes again what an interrupted change may not have stored.
    private void recover() {
        Table table = reader.grown();
        extents.releaseUnless(Extents.TABLE, offset -> offset == table.offset());
        long count = space.rebuild(table);
        table.memory().set(LONG, TagGroups.COUNT, count);
        table.memory().set(LONG, TagGroups.EROSION, 0);
    }

    @Override
    public void beginForce() {
        if (phase == CHANGING) {
            recover();
            phase = OPEN;
        }
    }

    @Override
    public void endForce() {}

    @Override
    public boolean isChanged() {
        return memory.isLive() && memory.isOpen();
    }

    @Override
    public void close() {
        memory.close();
        phase = UNCHANGED;
    }
}
