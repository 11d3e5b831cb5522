package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceSummary;
import dev.arenakit.mapped.trace.TraceSummary.Cell;
import dev.arenakit.mapped.trace.TraceSummary.Group;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Summarizes events. It has memory for the live allocations, and for the threads.
public final class TraceStatistics {
    private static final int CLASSES = Long.SIZE + 1;
    /// The lifetime of allocations that are live at the end.
    private static final int LIVE = Long.SIZE;

    private final Map<Long, Long> lastEvents;
    private final Map<Long, OpenArena> open = new HashMap<>();
    private final long[][] counts = new long[CLASSES][CLASSES];
    private final long[][] bytes = new long[CLASSES][CLASSES];
    private final long[] arenasBySize = new long[CLASSES];
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
    private long outlivingThreads;

    /// @param lastEvents the time of the last event of each thread
    public TraceStatistics(Map<Long, Long> lastEvents) {
        this.lastEvents = lastEvents;
    }

    /// Adds an event, in the order of time.
    public void add(TraceEvent event) {
        events++;
        nanos = event.nanos();
        switch (event.kind()) {
            case OPEN -> {
                arenas++;
                sharedArenas += event.isShared() ? 1 : 0;
                open.put(event.arena(), new OpenArena());
                mostOpen = Math.max(mostOpen, open.size());
            }
            case ALLOCATE -> open.get(event.arena()).memory.add(allocated(event));
            case ALLOCATE_BLOCK -> {
                blocks++;
                open.get(event.arena()).blocks.put(event.block(), allocated(event));
            }
            case RESIZE_BLOCK -> {
                resizes++;
                Map<Long, Live> resized = open.get(event.arena()).blocks;
                Live before = resized.get(event.block());
                resized.put(event.block(), new Live(event.byteSize(), before.nanos, before.thread));
                change(event.byteSize() - before.byteSize);
            }
            case FREE_BLOCK -> freed(open.get(event.arena()).blocks.remove(event.block()), event);
            case CLOSE -> {
                OpenArena closed = open.remove(event.arena());
                arenasBySize[sizeClass(closed.allocations)]++;
                closed.memory.forEach(memory -> freed(memory, event));
                closed.blocks.values().forEach(block -> freed(block, event));
            }
        }
    }

    private Live allocated(TraceEvent event) {
        allocations++;
        open.get(event.arena()).allocations++;
        byteSize += event.byteSize();
        change(event.byteSize());
        return new Live(event.byteSize(), event.nanos(), event.thread());
    }

    private void change(long difference) {
        live += difference;
        if (live > peak) {
            peak = live;
            peakNanos = nanos;
        }
        timeline.add(nanos, live);
    }

    private void freed(Live memory, TraceEvent event) {
        count(memory, sizeClass(event.nanos() - memory.nanos));
        freedByOthers += memory.thread == event.thread() ? 0 : 1;
        outlivingThreads += lastEvents.getOrDefault(memory.thread, 0L) < event.nanos() ? 1 : 0;
        change(-memory.byteSize);
    }

    private void count(Live memory, int lifetime) {
        int size = sizeClass(memory.byteSize);
        counts[size][lifetime]++;
        bytes[size][lifetime] += memory.byteSize;
    }

    public TraceSummary summary(long platformThreads, long virtualThreads) {
        open.values().forEach(arena -> {
            arena.memory.forEach(memory -> count(memory, LIVE));
            arena.blocks.values().forEach(block -> count(block, LIVE));
        });
        List<Cell> cells = new ArrayList<>();
        List<Group> groups = new ArrayList<>();
        for (int size = 0; size < CLASSES; size++) {
            for (int lifetime = 0; lifetime < CLASSES; lifetime++) {
                if (counts[size][lifetime] > 0) {
                    cells.add(new Cell(smallest(size), lifetime == LIVE ? -1 : smallest(lifetime),
                            counts[size][lifetime], bytes[size][lifetime]));
                }
            }
            if (arenasBySize[size] > 0) {
                groups.add(new Group(smallest(size), arenasBySize[size]));
            }
        }
        return new TraceSummary(events, arenas, open.size(), mostOpen, sharedArenas, allocations, blocks, resizes,
                byteSize, peak, peakNanos, live, nanos, platformThreads, virtualThreads, freedByOthers,
                outlivingThreads, groups, cells, timeline.points());
    }

    /// Class n has the numbers from the (n - 1)th power of two; class 0 has the number 0.
    private static int sizeClass(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    private static long smallest(int sizeClass) {
        return sizeClass == 0 ? 0 : 1L << sizeClass - 1;
    }

    private record Live(long byteSize, long nanos, long thread) {}

    private static final class OpenArena {
        final List<Live> memory = new ArrayList<>();
        final Map<Long, Live> blocks = new HashMap<>();
        long allocations;
    }

    /// The largest value of each part of the time. The parts are joined in pairs when there are too many.
    private static final class Timeline {
        private static final int PARTS = 512;

        private final long[] values = new long[PARTS];
        private long part = 1 << 10;
        private int current;
        private long last;

        void add(long nanos, long value) {
            while (nanos / part >= PARTS) {
                for (int i = 0; i < PARTS / 2; i++) {
                    values[i] = Math.max(values[2 * i], values[2 * i + 1]);
                }
                Arrays.fill(values, PARTS / 2, PARTS, 0);
                part *= 2;
                current /= 2;
            }
            int index = (int) (nanos / part);
            // Nothing has changed in the parts between.
            for (int i = current + 1; i <= index; i++) {
                values[i] = last;
            }
            current = index;
            values[index] = Math.max(values[index], value);
            last = value;
        }

        List<TraceSummary.Point> points() {
            List<TraceSummary.Point> points = new ArrayList<>();
            for (int i = 0; i <= current; i++) {
                points.add(new TraceSummary.Point((i + 1) * part, values[i]));
            }
            return points;
        }
    }
}
