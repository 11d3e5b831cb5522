package dev.arenakit.mapped.internal.table;

import dev.arenakit.internal.Sizes;
import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.structure.OpenStructure;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import dev.arenakit.mapped.internal.table.LongTableReader.Table;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Changes a map from longs to longs. [LongGroups] describes the format. One thread at a time changes the map and reads it
/// by this instance; other threads may force and close it meanwhile.
public final class LongTable implements OpenStructure {
    /* All state is in the memory, so that an Error between two stores leaves the state of a killed process. If the number
     * of changes in the header is odd, the next change repairs count and checks first.
     * Only the thread that changes the map reads it, and no other one takes a change that is running for an interrupted
     * one. A lock, or any other atomic instruction, would take 0.8 times as long as the rest of an update.
     *
     * Therefore nobody completes a changed map while it is mapped. When the scope of its arena has ended, no change can
     * store any more, and the number of changes in the file tells whether one was interrupted.
     */

    private static final int FIRST_LOG = 6;

    private final OwnedMemory memory;
    private final LongTableReader reader;
    /// Whether this process has changed the map.
    private boolean isOpen;

    private LongTable(OwnedMemory memory) {
        this.memory = memory;
        reader = new LongTableReader(memory);
    }

    /// Opens a map, or creates it.
    public static LongTable open(OwnedMemory memory) {
        StructureState state = memory.state();
        if (state == StructureState.LOST) {
            throw StructureFormat.lost(memory.name());
        }
        if (state == StructureState.UNFINISHED) {
            memory.create(StructureKind.LONG_MAP, RandomGenerator.getDefault().nextLong(), Long.BYTES, Long.BYTES,
                    StructureFormat.BYTE_SIZE + LongGroups.byteSize(FIRST_LOG),
                    header -> header.set(LONG, LongGroups.ROOT,
                            LongGroups.root(-1, StructureFormat.BYTE_SIZE, FIRST_LOG)));
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.LONG_MAP);
        LongTable table = new LongTable(memory);
        if (StructureFormat.isChanging(memory.segment()) || !table.isCounted()) {
            table.recount();
        }
        return table;
    }

    /// A reader for other threads.
    public LongTableReader newReader() {
        return new LongTableReader(memory);
    }

    /// Returns the value of a key.
    public long get(long key, long missing) {
        Table table = reader.table();
        long pair = LongTableReader.find(table, key, reader.hash(key));
        return pair < 0 ? missing : table.memory().get(StructureFormat.WORD, pair + LongGroups.VALUE);
    }

    /// Whether there is a value for a key.
    public boolean contains(long key) {
        return LongTableReader.find(reader.table(), key, reader.hash(key)) >= 0;
    }

    /// Associates a value with a key.
    ///
    /// @return whether the key was added
    public boolean put(long key, long value) {
        Table table = begin();
        long hash = reader.hash(key);
        long pair = LongTableReader.find(table, key, hash);
        boolean isNew = pair < 0;
        if (isNew) {
            add(table, hash, key, value);
        } else {
            replace(table.memory(), pair, key, value);
        }
        StructureFormat.endChange(table.memory());
        return isNew;
    }

    /// Adds a number to the value of a key, or to 0 if the key is absent.
    ///
    /// @return the sum
    public long addTo(long key, long delta) {
        long sum = get(key, 0) + delta;
        put(key, sum);
        return sum;
    }

    /// Removes a key.
    ///
    /// @return whether it was there
    public boolean remove(long key) {
        Table table = begin();
        long pair = LongTableReader.find(table, key, reader.hash(key));
        boolean isPresent = pair >= 0;
        if (isPresent) {
            remove(table.memory(), pair);
        }
        StructureFormat.endChange(table.memory());
        return isPresent;
    }

    /// Removes all pairs.
    public void clear() {
        Table table = begin();
        Table empty = exchange(table, FIRST_LOG, beside(table, LongGroups.byteSize(FIRST_LOG)), _ -> {});
        empty.memory().set(LONG, LongGroups.COUNT, 0);
        StructureFormat.endChange(table.memory());
        memory.punch(table.offset(), table.byteSize());
    }

    /// The number of pairs.
    public long size() {
        recover();
        return reader.size();
    }

    private static void replace(MemorySegment memory, long pair, long key, long value) {
        long before = memory.get(LONG, pair + LongGroups.VALUE);
        LONG_HANDLE.setRelease(memory, pair + LongGroups.VALUE, value);
        LongGroups.changeCheck(memory, LongGroups.group(pair),
                LongGroups.check(key, before) ^ LongGroups.check(key, value));
    }

    private void add(Table table, long hash, long key, long value) {
        Table roomy = table;
        MemorySegment memory = table.memory();
        long count = memory.get(LONG, LongGroups.COUNT);
        if (count >= LongGroups.capacity(LongGroups.log(table.root())) - memory.get(LONG, LongGroups.EROSION)) {
            roomy = rehash(table, count);
            memory = roomy.memory();
        }
        LongGroups.add(memory, roomy.offset(), roomy.mask(), hash, key, value);
        memory.set(LONG, LongGroups.COUNT, count + 1);
    }

    private static void remove(MemorySegment memory, long pair) {
        long group = LongGroups.group(pair);
        long tags = memory.get(LONG, group);
        LONG_HANDLE.setRelease(memory, group, tags & ~(0xFFL << LongGroups.tagShift(pair)));
        LongGroups.changeCheck(memory, group,
                LongGroups.check(memory.get(LONG, pair), memory.get(LONG, pair + LongGroups.VALUE)));
        memory.set(LONG, LongGroups.COUNT, memory.get(LONG, LongGroups.COUNT) - 1);
        if (LongGroups.isPassed(tags)) {
            memory.set(LONG, LongGroups.EROSION, memory.get(LONG, LongGroups.EROSION) + 1);
        }
    }

    /// Moves all pairs to a new table, which is twice as large unless many pairs were removed.
    private Table rehash(Table table, long count) {
        int log = LongGroups.log(table.root());
        int newLog = count > LongGroups.capacity(log) / 2 ? log + 1 : log;
        Table made = exchange(table, newLog, beside(table, LongGroups.byteSize(newLog)), to -> copy(table, to, false));
        memory.punch(table.offset(), table.byteSize());
        return made;
    }

    /// Replaces the table. If that fails, the map has its previous pairs, unless the device has failed after the table was
    /// replaced.
    ///
    /// @param offset  the offset of the new table
    /// @param copying copies pairs to the new table
    private Table exchange(Table table, int log, long offset, Consumer<Table> copying) {
        long byteSize = LongGroups.byteSize(log);
        try {
            allocate(offset, byteSize);
            MemorySegment segment = memory.segment();
            long root = LongGroups.root(table.root(), offset, log);
            copying.accept(new Table(segment, root, offset, (1L << log) - 1));
            memory.force(offset, byteSize);
            segment.set(LONG, LongGroups.EROSION, 0);
            LONG_HANDLE.setRelease(segment, LongGroups.ROOT, root);
            // The old table may be overwritten only if the device has the new root.
            memory.force(0, StructureFormat.BYTE_SIZE);
        } catch (RuntimeException e) {
            // If the root has changed, the next change counts the pairs.
            if (table.isCurrent()) {
                StructureFormat.endChange(table.memory());
            }
            throw e;
        }
        return reader.table();
    }

    /// The offset of a new table, before the present table or behind it. Nothing else is in the memory.
    private static long beside(Table table, long byteSize) {
        return table.offset() - StructureFormat.BYTE_SIZE >= byteSize
                ? StructureFormat.BYTE_SIZE
                : table.offset() + table.byteSize();
    }

    /// Makes the memory of a table zero, and grows the memory if necessary.
    private void allocate(long offset, long byteSize) {
        long before = memory.segment().byteSize();
        memory.grow(offset + byteSize);
        if (offset < before) {
            memory.clear(offset, Math.min(byteSize, before - offset));
        }
    }

    /// Copies pairs to an empty table.
    ///
    /// @param isRepair whether only pairs are copied that can be verified
    /// @return the number of other pairs
    private long copy(Table from, Table to, boolean isRepair) {
        MemorySegment segment = to.memory();
        long dropped = 0;
        for (long number = 0; number <= from.mask(); number++) {
            long group = from.group(number);
            boolean isIntact = !isRepair || LongGroups.isIntact(segment, group);
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(segment, pair)) {
                    long key = segment.get(LONG, pair);
                    long hash = reader.hash(key);
                    // A key can be in two groups whose pages are of different times.
                    if (!isRepair || (isIntact && LongGroups.hasItsTag(segment, pair, reader.seed)
                            && LongTableReader.find(to, key, hash) < 0)) {
                        LongGroups.add(segment, to.offset(), to.mask(), hash, key,
                                segment.get(LONG, pair + LongGroups.VALUE));
                    } else {
                        dropped++;
                    }
                }
            }
        }
        return dropped;
    }

    /// Repairs a map after a failure of the machine, or after its bytes were changed, unless all its pairs are intact. A new
    /// table gets the pairs of each group whose check is right. Until it is on the device, the old table remains, and the
    /// repair can begin again.
    ///
    /// @throws IllegalStateException if the root is damaged
    public static StructureRepair repair(OwnedMemory memory) {
        StructureState state = memory.state();
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.LONG_MAP);
        LongTable map = new LongTable(memory);
        return state != StructureState.LOST && map.isIntact(state == StructureState.CLOSED)
                ? StructureRepair.NONE
                : map.repair();
    }

    private StructureRepair repair() {
        // First: a recorded size that the file does not have is restored only if the structure is incomplete.
        memory.beginRepair();
        Table damaged = reader.table();
        long[] dropped = new long[1];
        // Behind everything: the root may be wrong by chance, and then the pairs are in another place.
        long end = Sizes.alignUp(memory.segment().byteSize(), StructureFormat.BYTE_SIZE);
        exchange(damaged, LongGroups.log(damaged.root()), end, to -> dropped[0] = copy(damaged, to, true));
        recount();
        memory.close();
        return new StructureRepair(reader.size(), dropped[0]);
    }

    /// Whether the pairs are intact. After a kill, the check of one group can be late.
    private boolean isIntact(boolean isClosed) {
        Table table = reader.table();
        MemorySegment segment = table.memory();
        long count = 0;
        long late = 0;
        for (long number = 0; number <= table.mask(); number++) {
            long group = table.group(number);
            late += LongGroups.isIntact(segment, group) ? 0 : 1;
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                long pair = LongGroups.pair(group, slot);
                if (LongGroups.isUsed(segment, pair)) {
                    count++;
                    if (!LongGroups.hasItsTag(segment, pair, reader.seed)) {
                        return false;
                    }
                }
            }
        }
        return isClosed ? late == 0 && count == segment.get(LONG, LongGroups.COUNT) : late <= 1;
    }

    /// Begins a change.
    ///
    /// @return the present table
    private Table begin() {
        // Wrong threads and closed arenas are refused here.
        Table table = reader.table();
        if (!isOpen || StructureFormat.isChanging(table.memory())) {
            beginFirst();
        }
        StructureFormat.beginChange(table.memory());
        return table;
    }

    private synchronized void beginFirst() {
        recover();
        if (!isOpen) {
            memory.open();
            isOpen = true;
        }
    }

    /// Completes a change that was interrupted.
    private void recover() {
        if (StructureFormat.isChanging(memory.segment())) {
            recount();
        }
    }

    /// Whether the recorded numbers are possible.
    private boolean isCounted() {
        Table table = reader.table();
        long count = table.memory().get(LONG, LongGroups.COUNT);
        long erosion = table.memory().get(LONG, LongGroups.EROSION);
        long capacity = LongGroups.capacity(LongGroups.log(table.root()));
        return count >= 0 && count <= capacity && erosion >= 0 && erosion <= capacity;
    }

    /// Computes again what an interrupted change may not have stored.
    private void recount() {
        Table table = reader.table();
        MemorySegment memory = table.memory();
        long count = 0;
        for (long number = 0; number <= table.mask(); number++) {
            long group = table.group(number);
            memory.set(LONG, group + LongGroups.CHECK, LongGroups.computedCheck(memory, group));
            for (int slot = 0; slot < LongGroups.SLOTS; slot++) {
                count += LongGroups.isUsed(memory, LongGroups.pair(group, slot)) ? 1 : 0;
            }
        }
        memory.set(LONG, LongGroups.COUNT, count);
        memory.set(LONG, LongGroups.EROSION, 0);
        // The number of changes says that the rest is right. It must not be on the device before the rest is.
        this.memory.force(0, memory.byteSize());
        StructureFormat.endChange(memory);
    }

    @Override
    public void beginForce() {
        if (memory.isLive()) {
            // A damaged root is reported before the contents are written.
            reader.table();
        }
    }

    /// The map is complete if this process has not changed it. Otherwise, it stays open.
    @Override
    public synchronized void endForce() {
        if (!isOpen && isChanged()) {
            memory.complete();
        }
    }

    @Override
    public synchronized boolean isChanged() {
        return memory.isLive() && memory.isOpen();
    }

    @Override
    public void close() {}
}
