package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.structure.OpenStructure;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Changes a tree. [TreeFormat] describes the format. Changes exclude one another, and the beginning and the end of a
/// force().
public final class TreeStore implements OpenStructure {
    /* The tree in the memory is right after each store. The heap knows which pages are in use. If an Error interrupts a
     * change, the phase says so, and the next change finds the pages and the count again.
     */

    /// No change has been made since the structure was opened, or closed.
    private static final int UNCHANGED = 0;
    private static final int OPEN = 1;
    /// A change has begun. It is not complete, or an Error has interrupted it.
    private static final int CHANGING = 2;

    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    private final TreeChange change;
    private final TreeReader reader;
    private final TreeKey.OfLong longKey = new TreeKey.OfLong(0);
    private final MemorySegment longValue = MemorySegment.ofArray(new long[1]);
    private int phase = UNCHANGED;
    /// Whether the live tree of the last [#beginForce] is not known to be on the device.
    private boolean isForcing;
    private long forcingRoot;
    private long forcingGeneration;
    private long forcingCount;

    private TreeStore(OwnedMemory memory) {
        this.memory = memory;
        pages = TreeReader.pages(memory.name(), memory.segment());
        space = new TreeSpace(memory, pages);
        change = new TreeChange(memory, pages, space);
        reader = new TreeReader(memory, true);
    }

    /// Opens a tree, or creates it.
    public static TreeStore open(OwnedMemory memory, long keyByteSize, long valueByteSize) {
        OwnedMemory.Condition condition = memory.condition();
        if (condition == OwnedMemory.Condition.NEW) {
            create(memory, keyByteSize, valueByteSize);
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.TREE);
        TreeReader.checkSizes(memory, keyByteSize, valueByteSize);
        TreeStore store = new TreeStore(memory);
        if (condition == OwnedMemory.Condition.LOST) {
            store.warnOfUnforced();
            store.returnToForced();
        }
        store.findPages();
        if (condition == OwnedMemory.Condition.KILLED || !store.isCounted()) {
            store.count();
        }
        if (memory.isCopied()) {
            // All of it is on the device.
            store.beginForce();
            store.endForce();
        }
        return store;
    }

    private static void create(OwnedMemory memory, long keyByteSize, long valueByteSize) {
        int pageByteSize = TreeFormat.pageByteSize(keyByteSize, valueByteSize);
        MemorySegment header = memory.grow(StructureFormat.BYTE_SIZE);
        header.asSlice(0, StructureFormat.BYTE_SIZE).fill((byte) 0);
        header.set(INT, TreeFormat.PAGE_SIZE, pageByteSize);
        TreeFormat.writeSlot(header, 0, 0, 0);
        header.set(LONG, StructureFormat.STATE, StructureFormat.CLOSED);
        memory.force(0, StructureFormat.BYTE_SIZE);
        StructureFormat.write(header, StructureKind.TREE, 0, keyByteSize, valueByteSize);
    }

    /// What a structure contains that was open when the machine failed: the tree of the last force().
    public static StructureRepair repair(OwnedMemory memory) {
        if (memory.condition() != OwnedMemory.Condition.LOST) {
            return new StructureRepair(0, 0);
        }
        MemorySegment header = memory.segment();
        StructureFormat.check(header, memory.name(), StructureKind.TREE);
        TreeStore store = new TreeStore(memory);
        store.returnToForced();
        store.findPages();
        return new StructureRepair(header.get(LONG, TreeFormat.LIVE + TreeFormat.COUNT), 0);
    }

    public TreeReader reader() {
        return reader;
    }

    /// Associates a value with a key.
    ///
    /// @param value a segment of whole words that begins with the value
    /// @return whether the key was added
    public synchronized boolean put(TreeKey key, MemorySegment value) {
        begin();
        try {
            int index = change.find(key);
            if (index >= 0) {
                change.replace(index, key, value);
            } else {
                change.insert(-1 - index, key, value);
            }
            commit(index >= 0 ? 0 : 1);
            return index < 0;
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    /// Associates a value with a key, without garbage.
    public synchronized boolean put(long key, long value) {
        longKey.value = key;
        longValue.set(LONG, 0, value);
        return put(longKey, longValue);
    }

    /// Adds a number to the value of a key, or to 0 if the key is absent.
    ///
    /// @return the sum
    public synchronized long addTo(TreeKey key, long delta) {
        begin();
        try {
            int index = change.find(key);
            long sum = index < 0 ? delta : change.word(index) + delta;
            longValue.set(LONG, 0, sum);
            if (index >= 0) {
                change.replace(index, key, longValue);
            } else {
                change.insert(-1 - index, key, longValue);
            }
            commit(index >= 0 ? 0 : 1);
            return sum;
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    /// Adds a number without garbage, as [#addTo(TreeKey, long)] does.
    public synchronized long addTo(long key, long delta) {
        longKey.value = key;
        return addTo(longKey, delta);
    }

    /// Removes a key.
    ///
    /// @return whether it was there
    public synchronized boolean remove(TreeKey key) {
        begin();
        try {
            int index = change.find(key);
            if (index >= 0) {
                change.remove(index);
            }
            commit(index >= 0 ? -1 : 0);
            return index >= 0;
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    /// Removes a key without garbage.
    public synchronized boolean remove(long key) {
        longKey.value = key;
        return remove(longKey);
    }

    /// Removes all entries.
    public synchronized void clear() {
        begin();
        try {
            change.clear(TreeWalk.pages(memory, pages, live(TreeFormat.ROOT), null));
            commit(-live(TreeFormat.COUNT));
        } catch (RuntimeException e) {
            rollBack();
            throw e;
        }
    }

    private void begin() {
        // Wrong threads and closed arenas are refused here.
        live(TreeFormat.ROOT);
        if (phase != OPEN) {
            recover();
            memory.open();
        }
        phase = CHANGING;
    }

    /// The change is visible.
    private void commit(long added) {
        MemorySegment header = memory.segment();
        if (added != 0) {
            long count = header.get(LONG, TreeFormat.LIVE + TreeFormat.COUNT) + added;
            header.set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, count);
        }
        space.commit();
        phase = OPEN;
    }

    /// The change has failed.
    private void rollBack() {
        // Otherwise the arena is being closed, and if that fails, the next change finds the state again.
        if (!change.isVisible()) {
            space.rollBack();
            phase = OPEN;
        }
    }

    private long live(long field) {
        return memory.segment().get(LONG, TreeFormat.LIVE + field);
    }

    /// Completes the state after an Error.
    private void recover() {
        if (phase == CHANGING) {
            findPages();
            count();
        }
    }

    private void warnOfUnforced() {
        MemorySegment header = memory.segment();
        UnforcedElements unforced = TreeFormat.unforced(memory.name(), header, newestSlot(header));
        if (unforced != null) {
            unforced.warn(TreeFormat.UNFORCED);
        }
    }

    /// Makes the newest forced tree the live tree.
    private void returnToForced() {
        MemorySegment header = memory.segment();
        long slot = newestSlot(header);
        // Pages may have larger generations than the header. All generations from now on are larger than the slot's.
        header.set(LONG, TreeFormat.LIVE + TreeFormat.GENERATION, Math.max(live(TreeFormat.GENERATION),
                header.get(LONG, slot + TreeFormat.GENERATION)));
        header.set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, header.get(LONG, slot + TreeFormat.COUNT));
        LONG_HANDLE.setRelease(header, TreeFormat.LIVE + TreeFormat.ROOT, header.get(LONG, slot + TreeFormat.ROOT));
    }

    private long newestSlot(MemorySegment header) {
        long slot = TreeFormat.newestSlot(header);
        if (slot < 0) {
            throw memory.damaged("no forced tree");
        }
        return slot;
    }

    /// Finds the pages that are in use.
    private void findPages() {
        MemorySegment header = memory.segment();
        long slot = newestSlot(header);
        BitSet live = TreeWalk.pages(memory, pages, live(TreeFormat.ROOT), null);
        BitSet forced = TreeWalk.pages(memory, pages, header.get(LONG, slot + TreeFormat.ROOT), live);
        if (isForcing) {
            BitSet forcing = TreeWalk.pages(memory, pages, forcingRoot, live);
            space.set(live, forced, forcing, forcingGeneration);
        } else {
            space.set(live, forced, new BitSet(), header.get(LONG, slot + TreeFormat.GENERATION));
        }
    }

    private boolean isCounted() {
        long count = live(TreeFormat.COUNT);
        return count >= 0 && (count == 0) == (live(TreeFormat.ROOT) == 0);
    }

    private void count() {
        long count = TreeWalk.count(memory, pages, live(TreeFormat.ROOT));
        memory.segment().set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, count);
    }

    @Override
    public synchronized void beginForce() {
        if (!memory.isLive()) {
            isForcing = false;
            return;
        }
        int before = phase == CHANGING ? OPEN : phase;
        recover();
        if (isForced()) {
            isForcing = false;
            phase = before;
            return;
        }
        phase = CHANGING;
        // The generation is also larger than before if nothing was written: a change can consist of a new root.
        long generation = live(TreeFormat.GENERATION) + 1;
        LONG_HANDLE.setRelease(memory.segment(), TreeFormat.LIVE + TreeFormat.GENERATION, generation);
        forcingGeneration = generation;
        forcingRoot = live(TreeFormat.ROOT);
        forcingCount = live(TreeFormat.COUNT);
        isForcing = true;
        space.beginForce(generation);
        phase = before;
    }

    /// Whether the live tree is the newest forced tree.
    private boolean isForced() {
        MemorySegment header = memory.segment();
        return TreeFormat.unforced(memory.name(), header, newestSlot(header)) == null;
    }

    @Override
    public synchronized void endForce() {
        if (!isForcing) {
            return;
        }
        int before = phase;
        phase = CHANGING;
        TreeFormat.writeSlot(memory.segment(), forcingRoot, forcingGeneration, forcingCount);
        memory.force(0, StructureFormat.BYTE_SIZE);
        isForcing = false;
        space.endForce();
        phase = before;
    }

    @Override
    public synchronized boolean isChanged() {
        return memory.isLive() && memory.isOpen();
    }

    /// Another change may have been made since [#endForce].
    @Override
    public synchronized void close() {
        beginForce();
        memory.force(0, memory.segment().byteSize());
        endForce();
        memory.close();
        phase = UNCHANGED;
    }
}
