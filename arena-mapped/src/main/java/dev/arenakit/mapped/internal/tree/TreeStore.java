package dev.arenakit.mapped.internal.tree;

import dev.arenakit.mapped.StructureRepair;
import dev.arenakit.mapped.StructureState;
import dev.arenakit.mapped.internal.catalog.UnforcedElements;
import dev.arenakit.mapped.internal.structure.OpenStructure;
import dev.arenakit.mapped.internal.structure.OwnedMemory;
import dev.arenakit.mapped.internal.structure.StructureFormat;
import dev.arenakit.mapped.internal.structure.StructureKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static dev.arenakit.mapped.internal.structure.StructureFormat.INT;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG;
import static dev.arenakit.mapped.internal.structure.StructureFormat.LONG_HANDLE;

/// Changes a tree. [TreeFormat] describes the format. Changes exclude one another, and the beginning and the end of a
/// force().
public final class TreeStore implements OpenStructure {
    /* The tree in the memory is right after each store. The heap knows which pages are in use. If an Error interrupts a
     * change, the number of changes in the header is odd, and the next change finds the pages and the count again.
     */

    private final OwnedMemory memory;
    private final TreePages pages;
    private final TreeSpace space;
    private final TreeChange change;
    private final TreeReader reader;
    private final TreeKey.OfLong longKey = new TreeKey.OfLong(0);
    private final MemorySegment longValue = MemorySegment.ofArray(new long[1]);
    /// Whether a change was made since the structure was opened, or closed.
    private boolean isOpen;
    /// The live tree of the last [#beginForce], if it is not known to be on the device.
    private @Nullable Forced forcing;

    private TreeStore(OwnedMemory memory, long keyByteSize, long valueByteSize) {
        this.memory = memory;
        pages = TreePages.of(memory.name(), memory.segment(), keyByteSize, valueByteSize);
        space = new TreeSpace(memory, pages);
        change = new TreeChange(memory, pages, space);
        reader = new TreeReader(memory, pages, true, false);
    }

    private record Forced(long root, long generation, long count) {}

    /// Opens a tree, or creates it.
    public static TreeStore open(OwnedMemory memory, long keyByteSize, long valueByteSize) {
        StructureState state = memory.state();
        if (state == StructureState.UNFINISHED) {
            create(memory, keyByteSize, valueByteSize);
        }
        StructureFormat.check(memory.segment(), memory.name(), StructureKind.TREE);
        TreeStore store = new TreeStore(memory, keyByteSize, valueByteSize);
        if (state == StructureState.LOST) {
            UnforcedElements unforced = store.unforced();
            if (unforced != null) {
                unforced.warn(TreeFormat.UNFORCED);
            }
            store.returnToForced();
        }
        store.findPages(store.tree(state), state != StructureState.CLOSED || store.unforced() != null);
        store.findForcedPages();
        if (memory.segment().get(LONG, StructureFormat.STATE) == StructureFormat.COMPLETED) {
            // All of it was on the device, but not the checks of pages, without which the slot must not be there.
            store.beginForce();
            memory.force(0, memory.segment().byteSize());
            store.endForce();
        }
        return store;
    }

    /// The offset of the tree that is read. After a failure of the machine, pages can have later generations than the
    /// forced tree, and are damaged then.
    private long tree(StructureState state) {
        return state == StructureState.LOST ? forcedSlot() : TreeFormat.LIVE;
    }

    private static void create(OwnedMemory memory, long keyByteSize, long valueByteSize) {
        long pageByteSize = TreePages.pageByteSize(keyByteSize, valueByteSize);
        if (pageByteSize > TreeFormat.LARGEST_PAGE) {
            throw new IllegalArgumentException("Values are too large for a tree: valueByteSize=" + valueByteSize
                    + "; store them in memory of their own, and their indexes in the tree");
        }
        memory.create(StructureKind.TREE, 0, keyByteSize, valueByteSize, StructureFormat.BYTE_SIZE, header -> {
            header.set(INT, TreeFormat.PAGE_SIZE, (int) pageByteSize);
            TreeFormat.writeSlot(header, 0, 0, 0);
        });
    }

    /// Repairs a tree that was open when the machine failed, which then is the tree of the last force(), or that is
    /// damaged. If pages are damaged, a new tree gets the entries of the others. Until it is complete, pages of the damaged
    /// tree stay as they are.
    public static StructureRepair repair(OwnedMemory memory) {
        StructureState state = memory.state();
        MemorySegment header = memory.segment();
        StructureFormat.check(header, memory.name(), StructureKind.TREE);
        return new TreeStore(memory, header.get(INT, StructureFormat.KEY_SIZE),
                header.get(INT, StructureFormat.VALUE_SIZE)).repair(state);
    }

    private synchronized StructureRepair repair(StructureState state) {
        boolean isLost = state == StructureState.LOST;
        if (isLost) {
            returnToForced();
        }
        List<String> lost = new ArrayList<>();
        TreeScan scan = scan(tree(state), 0, lost::add);
        long count = all(scan, () -> {});
        if (lost.isEmpty()) {
            return isLost ? new StructureRepair(count, 0, lost) : StructureRepair.NONE;
        }
        long recorded = live(TreeFormat.COUNT);
        // The forced tree is what a kill during the repair leaves, so it becomes the damaged tree.
        StructureFormat.endChange(memory.segment());
        space.set(scan.found, scan.unsealed);
        beginForce();
        memory.force(0, memory.segment().byteSize());
        endForce();
        memory.beginRepair();
        // The pages that were found stay in use: a search for the pages of the damaged tree would end at the damage.
        StructureFormat.beginChange(memory.segment());
        memory.segment().set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, 0);
        LONG_HANDLE.setRelease(memory.segment(), TreeFormat.LIVE + TreeFormat.ROOT, 0L);
        StructureFormat.endChange(memory.segment());
        isOpen = true;
        putAll();
        if (live(TreeFormat.COUNT) != count) {
            throw memory
                    .damaged("intact=" + count + ", stored=" + live(TreeFormat.COUNT) + "; " + StructureFormat.REPAIR);
        }
        close();
        return new StructureRepair(count, Math.max(0, recorded - count), lost);
    }

    /// Puts the intact entries of the forced tree.
    private void putAll() {
        TreeScan scan = scan(forcedSlot(), 0, _ -> {});
        all(scan, () -> {
            MemorySegment leaf = scan.contents();
            for (int index = 0; index < scan.count(); index++) {
                change(pages.key(leaf, 0, 0, index, pages.newKey()),
                        leaf.asSlice(pages.value(leaf, 0, 0, index), pages.leafStride));
            }
        });
    }

    private TreeScan scan(long tree, int lowest, TreeScan.Damage damage) {
        return new TreeScan(TreeScan.Source.of(memory.segment()), pages, tree, lowest, false, damage);
    }

    /// Visits all pages of a scan.
    ///
    /// @param action what is done at each page
    /// @return the number of their entries
    private static long all(TreeScan scan, Runnable action) {
        try {
            return scan.all(action);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public TreeReader reader() {
        return reader;
    }

    /// Associates a value with a key, without garbage.
    public synchronized boolean put(long key, long value) {
        longValue.set(LONG, 0, value);
        return change(longKey.with(key), longValue);
    }

    /// Adds a number to the value of a key, or to 0 if the key is absent, without garbage.
    ///
    /// @return the sum
    public synchronized long addTo(long key, long delta) {
        long sum = reader.get(key, 0) + delta;
        put(key, sum);
        return sum;
    }

    /// Removes a key without garbage.
    public synchronized boolean remove(long key) {
        return change(longKey.with(key), null);
    }

    /// Removes all entries.
    public synchronized void clear() {
        begin();
        change.clear();
        recover();
    }

    private void begin() {
        // Wrong threads and closed arenas are refused here.
        live(TreeFormat.ROOT);
        recover();
        if (!isOpen) {
            memory.open();
            isOpen = true;
        }
        StructureFormat.beginChange(memory.segment());
    }

    /// Associates a value with a key, or removes the key.
    ///
    /// @param value a segment of whole words that begins with the value, or null to remove the key
    /// @return whether the number of entries has changed
    public synchronized boolean change(TreeKey key, @Nullable MemorySegment value) {
        begin();
        try {
            int index = change.find(key);
            int added = (index < 0 ? 1 : 0) - (value == null ? 1 : 0);
            if (value != null) {
                change.put(index, key, value);
            } else if (index >= 0) {
                change.remove(index);
            }
            MemorySegment header = memory.segment();
            if (added != 0) {
                header.set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, live(TreeFormat.COUNT) + added);
            }
            change.commit();
            StructureFormat.endChange(header);
            return added != 0;
        } catch (RuntimeException e) {
            // Otherwise the arena is being closed, and if that fails, the next change finds the state again.
            if (!change.isVisible()) {
                space.rollBack();
                StructureFormat.endChange(memory.segment());
            }
            throw e;
        }
    }

    private long live(long field) {
        return memory.segment().get(LONG, TreeFormat.LIVE + field);
    }

    /// Completes the state after an Error.
    private void recover() {
        if (StructureFormat.isChanging(memory.segment())) {
            findPages(TreeFormat.LIVE, true);
        }
    }

    /// Makes the newest forced tree the live tree.
    private void returnToForced() {
        MemorySegment header = memory.segment();
        long slot = forcedSlot();
        // Pages may have larger generations than the header. All generations from now on are larger than the slot's.
        header.set(LONG, TreeFormat.LIVE + TreeFormat.GENERATION, Math.max(live(TreeFormat.GENERATION),
                header.get(LONG, slot + TreeFormat.GENERATION)));
        header.set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, header.get(LONG, slot + TreeFormat.COUNT));
        LONG_HANDLE.setRelease(header, TreeFormat.LIVE + TreeFormat.ROOT, header.get(LONG, slot + TreeFormat.ROOT));
    }

    /// Finds the pages of the live tree.
    ///
    /// @param tree    its offset
    /// @param isWhole whether leaves are read, too. Then the entries are counted, and the pages without checks are known.
    private void findPages(long tree, boolean isWhole) {
        TreeScan live = scan(tree, isWhole ? 0 : 1, problem -> {
            throw memory.damaged(problem + "; " + StructureFormat.REPAIR);
        });
        long count = all(live, () -> {});
        space.set(live.found, live.unsealed);
        if (isWhole && (count != live(TreeFormat.COUNT) || StructureFormat.isChanging(memory.segment()))) {
            memory.segment().set(LONG, TreeFormat.LIVE + TreeFormat.COUNT, count);
            StructureFormat.endChange(memory.segment());
        }
    }

    /// Finds the pages of the forced tree. Its damage is no problem of the live tree, and the next force() replaces it.
    private void findForcedPages() {
        long slot = forcedSlot();
        TreeScan forced = scan(slot, 1, _ -> {});
        all(forced, () -> {});
        space.setForced(forced.found, memory.segment().get(LONG, slot + TreeFormat.GENERATION));
    }

    @Override
    public synchronized void beginForce() {
        forcing = null;
        if (!memory.isLive()) {
            return;
        }
        recover();
        if (unforced() == null) {
            return;
        }
        StructureFormat.beginChange(memory.segment());
        // The generation is also larger than before if nothing was written: a change can consist of a new root.
        long generation = live(TreeFormat.GENERATION) + 1;
        LONG_HANDLE.setRelease(memory.segment(), TreeFormat.LIVE + TreeFormat.GENERATION, generation);
        space.beginForce(generation);
        forcing = new Forced(live(TreeFormat.ROOT), generation, live(TreeFormat.COUNT));
        StructureFormat.endChange(memory.segment());
    }

    private @Nullable UnforcedElements unforced() {
        MemorySegment header = memory.segment();
        return TreeFormat.unforced(memory.name(), header, forcedSlot());
    }

    private long forcedSlot() {
        return TreeFormat.forcedSlot(memory.name(), memory.segment());
    }

    @Override
    public synchronized void endForce() {
        Forced forced = forcing;
        if (forced == null) {
            return;
        }
        TreeFormat.writeSlot(memory.segment(), forced.root, forced.generation, forced.count);
        memory.force(0, StructureFormat.BYTE_SIZE);
        forcing = null;
        space.endForce();
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
        // The next change opens it again, also if the device fails here.
        isOpen = false;
        memory.close();
    }
}
