package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.internal.pool.memory.Slab;
import dev.arenakit.internal.pool.stock.OpenQueue;
import dev.arenakit.internal.pool.stock.SlabStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The groups of shared arenas of one pool, and the memory that their closed arenas hold back.
///
/// Thread-safe. To end a group is to run the cleanups that users have attached to its scope: no caller holds a lock, or
/// has begun to change an arena.
public final class ArenaGroups implements SlabStore.Groups {
    /*
     * A closed arena keeps its memory until its group is over and the scope has ended, by one handshake for all arenas
     * of the group. Then the group's arenas join the list of ended arenas. Each open releases two of them, so that no
     * single call zeroes the memory of a whole group, and the list becomes empty before the next group is over.
     *
     * If memory is missing, everything that is not in use is released at once. The same holds while threads wait for a
     * slab, and after a shutdown, when nobody opens an arena: a thread first closes its arena or ends its group, and
     * then looks for waiting threads and a shutdown; the other side becomes visible first, and then seals all groups.
     */
    private static final int RELEASED_BY_OPEN = 2;
    /// The memory that closed arenas of an unlimited pool hold back: two groups of 256 arenas with two slabs each.
    private static final long HELD_BACK = 64L << 20;

    private final int mostArenas;
    private final long maxHeldBackByteSize;
    private final @Nullable OpenQueue queue;
    private final AtomicLong heldBackByteSize = new AtomicLong();
    /// Closed arenas whose scope has ended, and whose memory is not released yet.
    private final AtomicReference<@Nullable GroupedSlabArena> ended = new AtomicReference<>();
    /// The groups whose scope has not ended; also the lock that guards this list.
    private final List<ArenaGroup> groups = new ArrayList<>();
    private volatile @Nullable ArenaGroup current;
    /// Whether a group may be over whose scope could not be ended, because a segment was in use.
    private volatile boolean due;
    private volatile boolean shutDown;

    /// @param mostArenas          the largest number of arenas in a group
    /// @param maxHeldBackByteSize from this size of the memory held back on, no arena joins a group; 0 for the default
    /// @param maxByteSize         the limit of the pool
    /// @param slabByteSize        the size of a slab
    /// @param queue               the threads that wait for a slab, or null
    ArenaGroups(int mostArenas, long maxHeldBackByteSize, long maxByteSize, long slabByteSize,
            @Nullable OpenQueue queue) {
        if (maxHeldBackByteSize > 0) {
            this.maxHeldBackByteSize = maxHeldBackByteSize;
        } else {
            this.maxHeldBackByteSize = maxByteSize == Long.MAX_VALUE ? HELD_BACK : Math.max(1, maxByteSize / 16);
        }
        // While the arenas of one group are closed, the arenas of the next group are opened.
        this.mostArenas = Math.clamp(this.maxHeldBackByteSize / 2 / slabByteSize, 1, mostArenas);
        this.queue = queue;
    }

    @Override
    public long heldBackByteSize() {
        return heldBackByteSize.get();
    }

    /// Opens an arena in a group, or with a scope of its own if too much memory is held back.
    public SlabArena open(SlabCache cache) {
        endDue();
        releaseEnded(RELEASED_BY_OPEN);
        // Before an arena joins a group: otherwise a full pool could not end this group.
        Slab slab = cache.acquireSharedPrimary();
        try {
            ArenaGroup group = join();
            return group == null ? SharedSlabArena.over(slab) : open(group, slab);
        } catch (Throwable t) {
            cache.release(slab);
            throw t;
        }
    }

    private GroupedSlabArena open(ArenaGroup group, Slab slab) {
        try {
            GroupedSlabArena arena = new GroupedSlabArena(this, group, slab);
            if (slab.home.watchesAll()) {
                Objects.requireNonNull(slab.open).follow(arena, null);
            }
            return arena;
        } catch (Throwable t) {
            leave(group);
            throw t;
        }
    }

    /// Counts a new arena of a group, or returns null if too much memory is held back.
    private @Nullable ArenaGroup join() {
        if (heldBackByteSize.get() >= maxHeldBackByteSize) {
            reclaim();
            if (heldBackByteSize.get() >= maxHeldBackByteSize) {
                return null;
            }
        }
        ArenaGroup group = current;
        while (group == null || !group.join()) {
            group = successorOf(group);
        }
        return group;
    }

    @SuppressWarnings("ReferenceEquality") // No two groups are equal.
    private ArenaGroup successorOf(@Nullable ArenaGroup sealed) {
        synchronized (groups) {
            ArenaGroup group = current;
            if (group == null || group == sealed) {
                group = new ArenaGroup(mostArenas);
                groups.add(group);
                current = group;
            }
            return group;
        }
    }

    /// Adds an arena that was closed, and whose memory is held back.
    void add(GroupedSlabArena arena, ArenaGroup group) {
        heldBackByteSize.addAndGet(arena.heldBackByteSize);
        group.add(arena);
        leave(group);
        if (isMissed()) {
            reclaim();
        }
    }

    private void leave(ArenaGroup group) {
        if (group.leave()) {
            end(group);
        }
    }

    @Override
    public void endDue() {
        if (due) {
            endOver();
        }
    }

    /// Records that a group which is over could not be ended, and wakes a waiting thread, which did not expect it.
    private void setDue() {
        due = true;
        if (queue != null) {
            queue.signal();
        }
    }

    /// Whether the current thread is ending a group: it runs a cleanup, and the memory of the group is not released
    /// before the cleanup returns.
    boolean isEndedByCurrentThread() {
        synchronized (groups) {
            for (ArenaGroup group : groups) {
                if (group.isEndedByCurrentThread()) {
                    return true;
                }
            }
            return false;
        }
    }

    /// How long a thread may wait at most before it tries again to end groups.
    long nanosToNextLook() {
        return due ? LOOK_NANOS : Long.MAX_VALUE;
    }

    @Override
    public void reclaim() {
        ArenaGroup group = current;
        if (group != null) {
            group.seal();
        }
        endOver();
        releaseEnded(Integer.MAX_VALUE);
    }

    @Override
    public void shutdown() {
        shutDown = true;
        reclaim();
    }

    @Override
    public long inUse() {
        synchronized (groups) {
            return groups.stream().filter(ArenaGroup::isOver).count();
        }
    }

    private void endOver() {
        // First: a group that another thread adds, and cannot end, must not be forgotten.
        due = false;
        ArenaGroup[] all;
        synchronized (groups) {
            all = groups.toArray(new ArenaGroup[0]);
        }
        for (ArenaGroup group : all) {
            if (group.isOver()) {
                end(group);
            }
        }
    }

    private void end(ArenaGroup group) {
        Throwable thrown = null;
        try {
            if (!group.endScope()) {
                if (group.isAlive()) {
                    setDue();
                }
                return;
            }
        } catch (Throwable t) {
            if (group.isAlive()) {
                setDue();
                throw t;
            }
            thrown = t;
        }
        synchronized (groups) {
            groups.remove(group);
        }
        if (thrown instanceof VirtualMachineError) {
            // The Error may have prevented the handshake with threads that are accessing the memory, which is lost.
            heldBackByteSize.addAndGet(-group.heldBackByteSize());
        } else {
            group.moveTo(ended);
            if (isMissed()) {
                releaseEnded(Integer.MAX_VALUE);
            }
        }
        if (thrown != null) {
            report(thrown);
        }
    }

    /// Whether threads wait for memory, or nobody will open an arena.
    private boolean isMissed() {
        return shutDown || (queue != null && queue.hasWaiting());
    }

    private void releaseEnded(int most) {
        for (int i = 0; i < most; i++) {
            GroupedSlabArena arena = ended.get();
            while (arena != null && !ended.compareAndSet(arena, arena.previous)) {
                arena = ended.get();
            }
            if (arena == null) {
                return;
            }
            heldBackByteSize.addAndGet(-arena.heldBackByteSize);
            arena.release();
        }
    }

    /// Reports what a cleanup has thrown, as if it were a thread of its own.
    private static void report(Throwable thrown) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        } catch (Throwable ignored) {
            // As the JVM does with an exception of the handler.
            return;
        }
    }
}
