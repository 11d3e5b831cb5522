package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.mapped.trace.TraceSummary.Cell;
import dev.arenakit.mapped.trace.TraceSummary.Group;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// Summarizes events. It has memory for the live allocations, and for the threads.
public final class TraceStatistics {
    /// The lifetime of allocations that are live at the end.
    private static final int LIVE = Long.SIZE;

    private final Map<Long, OpenArena> open = new HashMap<>();
    private final Map<Long, ThreadUse> threads = new HashMap<>();
    private final SortedMap<Integer, Cell> cells = new TreeMap<>();
    private final SortedMap<Long, Long> arenasByAllocations = new TreeMap<>();
    private final SortedMap<Long, Long> arenasByBytes = new TreeMap<>();
    private final Timeline timeline = new Timeline();
    private long events;
    private long arenas;
    private long sharedArenas;
    private int mostOpen;
    private long allocations;
    private long blocks;
    private long resizes;
    private long byteSize;
    private long live;
    private long peak;
    private long peakNanos;
    private long nanos;
    private long freedByOthers;

    /// Adds an event, in the order of time.
    public void add(TraceEvent event) {
        events++;
        nanos = event.nanos();
        ThreadUse thread = threads.computeIfAbsent(event.thread(), _ -> new ThreadUse(event.isVirtual()));
        thread.freedLater = 0;
        switch (event.kind()) {
            case OPEN -> {
                arenas++;
                sharedArenas += event.isShared() ? 1 : 0;
                open.put(event.arena(), new OpenArena());
                mostOpen = Math.max(mostOpen, open.size());
            }
            case ALLOCATE, ALLOCATE_BLOCK -> {
                allocations++;
                blocks += event.block() < 0 ? 0 : 1;
                byteSize += event.byteSize();
                OpenArena arena = arena(event);
                arena.allocations++;
                arena.byteSize += event.byteSize();
                // Memory that is not a block has a negative number.
                arena.live.put(event.block() < 0 ? -arena.allocations : event.block(),
                        new Live(event.byteSize(), nanos, thread));
                change(event.byteSize());
            }
            case RESIZE_BLOCK -> {
                resizes++;
                arena(event).live.computeIfPresent(event.block(), (_, before) -> {
                    change(event.byteSize() - before.byteSize);
                    return new Live(event.byteSize(), before.nanos, before.thread);
                });
            }
            case FREE_BLOCK -> freed(Objects.requireNonNull(arena(event).live.remove(event.block())), thread);
            case CLOSE -> {
                OpenArena closed = arena(event);
                open.remove(event.arena());
                arenasByAllocations.merge(smallest(sizeClass(closed.allocations)), 1L, Long::sum);
                arenasByBytes.merge(smallest(sizeClass(closed.byteSize)), 1L, Long::sum);
                closed.live.values().forEach(memory -> freed(memory, thread));
            }
        }
    }

    /// The arena of an event. A reader passes events of open arenas and live blocks only.
    private OpenArena arena(TraceEvent event) {
        return Objects.requireNonNull(open.get(event.arena()));
    }

    private void change(long difference) {
        live += difference;
        if (live > peak) {
            peak = live;
            peakNanos = nanos;
        }
        timeline.add(nanos, live);
    }

    private void freed(Live memory, ThreadUse thread) {
        count(memory, sizeClass(nanos - memory.nanos));
        if (memory.thread != thread) {
            freedByOthers++;
            memory.thread.freedLater++;
        }
        change(-memory.byteSize);
    }

    private void count(Live memory, int lifetime) {
        int size = sizeClass(memory.byteSize);
        cells.merge(size << Byte.SIZE | lifetime,
                new Cell(smallest(size), lifetime == LIVE ? -1 : smallest(lifetime), 1, memory.byteSize),
                (cell, one) -> new Cell(cell.byteSize(), cell.nanos(), cell.allocations() + 1,
                        cell.bytes() + one.bytes()));
    }

    public TraceSummary summary() {
        open.values().forEach(arena -> arena.live.values().forEach(memory -> count(memory, LIVE)));
        long virtualThreads = threads.values().stream().filter(thread -> thread.isVirtual).count();
        return new TraceSummary(events, arenas, open.size(), mostOpen, sharedArenas, allocations, blocks, resizes,
                byteSize, peak, peakNanos, live, nanos, threads.size() - virtualThreads, virtualThreads, freedByOthers,
                threads.values().stream().mapToLong(thread -> thread.freedLater).sum(),
                groups(arenasByAllocations), groups(arenasByBytes), List.copyOf(cells.values()), timeline.points());
    }

    private static List<Group> groups(SortedMap<Long, Long> arenas) {
        return arenas.entrySet().stream().map(each -> new Group(each.getKey(), each.getValue())).toList();
    }

    /// Class n has the numbers from the (n - 1)th power of two; class 0 has the number 0.
    private static int sizeClass(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    private static long smallest(int sizeClass) {
        return sizeClass == 0 ? 0 : 1L << (sizeClass - 1);
    }

    private static final class ThreadUse {
        final boolean isVirtual;
        /// The number of its allocations that other threads have freed since its last event.
        long freedLater;

        ThreadUse(boolean isVirtual) {
            this.isVirtual = isVirtual;
        }
    }

    private record Live(long byteSize, long nanos, ThreadUse thread) {}

    private static final class OpenArena {
        final Map<Long, Live> live = new HashMap<>();
        long allocations;
        long byteSize;
    }

    /// The largest value of each part of the time. The parts are joined in pairs when there are too many.
    private static final class Timeline {
        private static final int PARTS = 512;

        private NavigableMap<Long, Long> parts = new TreeMap<>();
        private long part = 1 << 10;
        private long last;

        void add(long nanos, long value) {
            // Nothing has changed in the parts between.
            parts.merge(Math.max(0, nanos / part - 1), last, Math::max);
            parts.merge(nanos / part, value, Math::max);
            last = value;
            while (parts.lastKey() >= PARTS) {
                NavigableMap<Long, Long> joined = new TreeMap<>();
                parts.forEach((number, most) -> joined.merge(number / 2, most, Math::max));
                parts = joined;
                part *= 2;
            }
        }

        List<TraceSummary.Point> points() {
            return parts.entrySet()
                    .stream()
                    .map(each -> new TraceSummary.Point((each.getKey() + 1) * part,
                            each.getValue()))
                    .toList();
        }
    }
}
