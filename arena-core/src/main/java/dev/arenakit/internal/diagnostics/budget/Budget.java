package dev.arenakit.internal.diagnostics.budget;

import dev.arenakit.diagnostics.BudgetStatistics;
import dev.arenakit.diagnostics.MemoryBudget;
import dev.arenakit.internal.ByteAccount;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.diagnostics.event.MemoryRegistry;
import dev.arenakit.internal.diagnostics.leak.LeakProperty;
import dev.arenakit.internal.diagnostics.leak.LeakWatch;
import dev.arenakit.internal.diagnostics.leak.WatchedArena;
import dev.arenakit.internal.scope.ScopeKinds;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A budget: its accounts of memory and disk, its children, and what is open.
public final class Budget implements MemoryBudget, MemoryRegistry.Source {
    /// Added to the number of open arenas when the budget is closed, so that one atomic operation tells an arena that
    /// is opened whether the budget is open.
    private static final long CLOSED = Long.MIN_VALUE;
    /// The number of children that a message names.
    private static final int MOST_NAMES = 5;
    /// A program that leaks arenas must not fill the heap with the places where they were opened.
    private static final int MOST_OPENINGS = 100;

    private final String path;
    private final @Nullable Budget parent;
    private final BudgetAccount memory;
    private final BudgetAccount disk;
    private final AtomicLong openArenas = new AtomicLong();
    private final AtomicLong openPools = new AtomicLong();
    /// Where arenas that are open were opened, as far as they are watched for leaks.
    private final Set<LeakWatch> openings = ConcurrentHashMap.newKeySet();
    /// The children that are open; guarded by itself. No lock of another budget is acquired while it is held.
    private final Set<Budget> children = new LinkedHashSet<>();
    /// The entry of a root, or null.
    private MemoryRegistry.@Nullable Entry entry;

    private Budget(String name, @Nullable Budget parent, long maxByteSize, long maxDiskByteSize) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("Budget has no name: name=\"" + name + "\"; pass a name for messages");
        }
        if (maxByteSize < 0 || maxDiskByteSize < 0) {
            throw new IllegalArgumentException("Limit is negative: name=" + name + ", maxByteSize=" + maxByteSize
                    + ", maxDiskByteSize=" + maxDiskByteSize);
        }
        MemoryEvents.initialize();
        this.path = parent == null ? name : parent.path + "/" + name;
        this.parent = parent;
        memory = new BudgetAccount(this, "memory", parent == null ? null : parent.memory, maxByteSize);
        disk = new BudgetAccount(this, "disk", parent == null ? null : parent.disk, maxDiskByteSize);
    }

    public static Budget root(String name, long maxByteSize, long maxDiskByteSize) {
        Budget root = new Budget(name, null, maxByteSize, maxDiskByteSize);
        root.entry = MemoryRegistry.add(root);
        return root;
    }

    /// The statistics of a budget, and of all budgets below it.
    @Override
    public List<BudgetStatistics> statistics() {
        List<BudgetStatistics> all = new ArrayList<>();
        all.add(stats());
        for (Budget child : children()) {
            all.addAll(child.statistics());
        }
        return all;
    }

    /// The account of a budget's memory, for the sources of memory of other packages.
    public static ByteAccount memoryOf(MemoryBudget budget) {
        return ((Budget) budget).memory;
    }

    /// The account of a budget's disk space.
    public static ByteAccount diskOf(MemoryBudget budget) {
        return ((Budget) budget).disk;
    }

    /// The names from the root to this budget.
    String path() {
        return path;
    }

    @Override
    public MemoryBudget child(String name, long maxByteSize, long maxDiskByteSize) {
        Budget child = new Budget(name, this, maxByteSize, maxDiskByteSize);
        synchronized (children) {
            checkOpen(openArenas.get());
            children.add(child);
        }
        return child;
    }

    @Override
    public Arena wrap(Arena arena) {
        Objects.requireNonNull(arena, "arena");
        if (!ScopeKinds.isCloseable(arena.scope())) {
            throw new IllegalArgumentException("Arena is automatic or global, and a budget cannot count its memory: "
                    + "budget=" + path + "; wrap an arena that is closed, such as Arena.ofConfined()");
        }
        LeakWatch opening = arena instanceof WatchedArena watched
                ? watched.opening()
                : LeakWatch.sampled(LeakProperty.DETECTION, "arena of a budget", path,
                        ScopeKinds.isConfined(arena.scope()), -1);
        BudgetedArena wrapped = new BudgetedArena(arena, this, memory, opening);
        if (opening != null && openings.size() < MOST_OPENINGS) {
            openings.add(opening);
        }
        openArena();
        return wrapped;
    }

    void openArena() {
        open(openArenas);
    }

    void closeArena(@Nullable LeakWatch opening) {
        openArenas.getAndDecrement();
        if (opening != null) {
            openings.remove(opening);
        }
    }

    void openPool() {
        open(openPools);
    }

    void closePool() {
        openPools.getAndDecrement();
    }

    private void open(AtomicLong count) {
        long before = count.getAndIncrement();
        if (before < 0) {
            count.getAndDecrement();
        }
        checkOpen(before);
    }

    private void checkOpen(long count) {
        if (count < 0) {
            throw new IllegalStateException("Budget is closed: budget=" + path);
        }
    }

    @Override
    public BudgetStatistics stats() {
        long arenas = Math.max(0, openArenas.get());
        long pools = Math.max(0, openPools.get());
        for (Budget child : children()) {
            BudgetStatistics below = child.stats();
            arenas += below.openArenas();
            pools += below.openPools();
        }
        return new BudgetStatistics(path, arenas, pools, memory.reservedByteSize(), memory.peakByteSize(),
                memory.maxByteSize, disk.reservedByteSize(), disk.peakByteSize(), disk.maxByteSize,
                memory.refusals() + disk.refusals());
    }

    private List<Budget> children() {
        synchronized (children) {
            return new ArrayList<>(children);
        }
    }

    @Override
    public void close() {
        synchronized (children) {
            if (openArenas.get() >= 0) {
                refuseFurther();
            }
        }
        // Also by a second call: an Error may have interrupted the first one here.
        if (entry != null) {
            entry.remove();
        }
        if (parent != null) {
            synchronized (parent.children) {
                parent.children.remove(this);
            }
        }
    }

    private void refuseFurther() {
        if (!children.isEmpty() || memory.reservedByteSize() != 0 || disk.reservedByteSize() != 0
                || !openPools.compareAndSet(0, CLOSED)) {
            throw inUse();
        }
        if (!openArenas.compareAndSet(0, CLOSED)) {
            openPools.getAndAdd(-CLOSED);
            throw inUse();
        }
    }

    private IllegalStateException inUse() {
        String names = children.isEmpty()
                ? ""
                : children.stream()
                        .limit(MOST_NAMES)
                        .map(Budget::path)
                        .collect(Collectors.joining(" ", " (", children.size() > MOST_NAMES ? " ...)" : ")"));
        String watched = openings.isEmpty() ? "" : ", watched=" + LeakWatch.places(openings);
        return new IllegalStateException("Budget is in use: budget=" + path + ", openArenas=" + openArenas.get()
                + watched + ", openPools=" + openPools.get() + ", openChildren=" + children.size() + names
                + ", reservedByteSize=" + memory.reservedByteSize() + ", diskByteSize=" + disk.reservedByteSize()
                + "; close them before the budget"
                + (watched.isEmpty() && openArenas.get() > 0 ? LeakProperty.hint() : ""));
    }

    /// {@return the statistics as text}
    @Override
    public String toString() {
        return stats().toString();
    }
}
