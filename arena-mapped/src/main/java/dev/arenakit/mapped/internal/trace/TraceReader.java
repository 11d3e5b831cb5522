package dev.arenakit.mapped.internal.trace;

import dev.arenakit.mapped.trace.TraceEvent;
import dev.arenakit.mapped.trace.TraceEvent.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the events of all pages in the order of their times, and gives each block a number.
///
/// An address can belong to two blocks for a moment, since an event is recorded after its call: one thread frees a
/// block, another thread allocates the same memory, and records that first. The first block is freed next, then.
public final class TraceReader {
    private final Consumer<? super String> problems;
    /// The live blocks of each open arena by address, the oldest first.
    private final Map<Long, Map<Long, Deque<Long>>> arenas = new HashMap<>();
    private long blocks;
    private long nanos;

    /// @param problems takes the description of events that are lost or damaged
    public TraceReader(Consumer<? super String> problems) {
        this.problems = problems;
    }

    /// Reads the events, in linear time and with memory for the live blocks.
    public void read(List<TracePage> pages, Consumer<? super TraceEvent> events) {
        Map<Integer, List<TracePage>> byWriter = new HashMap<>();
        for (TracePage page : pages) {
            if (page.isIntact()) {
                byWriter.computeIfAbsent(page.writer, _ -> new ArrayList<>()).add(page);
            } else if (!TraceFormat.isEmpty(page.page)) {
                problems.accept("A page is damaged, and its events are left out: " + page.place);
            }
        }
        PriorityQueue<Deque<TracePage>> writers = new PriorityQueue<>(
                Comparator.comparingLong(left -> left.getFirst().nanos));
        for (List<TracePage> some : byWriter.values()) {
            some.sort(Comparator.comparingInt(page -> page.number));
            add(writers, new ArrayDeque<>(some));
        }
        while (!writers.isEmpty()) {
            Deque<TracePage> next = writers.remove();
            TraceEvent event = event(next.getFirst());
            if (event != null) {
                events.accept(event);
            }
            add(writers, next);
        }
    }

    /// Adds a writer with the pages that it has left, unless it has no event.
    private void add(PriorityQueue<Deque<TracePage>> writers, Deque<TracePage> left) {
        for (; !left.isEmpty(); left.remove()) {
            try {
                if (left.getFirst().next()) {
                    writers.add(left);
                    return;
                }
            } catch (IllegalStateException _) {
                problems.accept("An event is damaged, and the rest of its page is left out: "
                        + left.getFirst().placeOfEvent());
            }
        }
    }

    private @Nullable TraceEvent event(TracePage page) {
        if (page.kind == Kind.OPEN) {
            if (arenas.putIfAbsent(page.arena, new HashMap<>()) != null) {
                return leftOut(page, "its arena is open");
            }
            return event(page, -1);
        }
        Map<Long, Deque<Long>> arena = arenas.get(page.arena);
        if (arena == null) {
            return leftOut(page, "its arena is not open");
        }
        long block = -1;
        switch (page.kind) {
            case ALLOCATE_BLOCK -> {
                block = blocks++;
                arena.computeIfAbsent(page.address, _ -> new ArrayDeque<>(1)).add(block);
            }
            case FREE_BLOCK, RESIZE_BLOCK -> {
                Deque<Long> found = arena.get(page.address);
                if (found == null) {
                    return leftOut(page, "there is no block at address 0x" + Long.toHexString(page.address));
                }
                block = found.remove();
                if (found.isEmpty()) {
                    arena.remove(page.address);
                }
                if (page.kind == Kind.RESIZE_BLOCK) {
                    arena.computeIfAbsent(page.newAddress, _ -> new ArrayDeque<>(1)).add(block);
                }
            }
            case CLOSE -> arenas.remove(page.arena);
            default -> {
                // Memory of an arena has no address in the trace.
            }
        }
        return event(page, block);
    }

    private @Nullable TraceEvent leftOut(TracePage page, String reason) {
        problems.accept("An event is left out, since " + reason + ": " + page.placeOfEvent() + ", kind=" + page.kind
                + ", arena=" + page.arena);
        return null;
    }

    private TraceEvent event(TracePage page, long block) {
        // Damaged times may go back.
        nanos = Math.max(nanos, page.nanos);
        return new TraceEvent(page.kind, nanos, page.thread >> 1, (page.thread & 1) != 0, page.arena,
                page.isShared,
                block, page.byteSize, 1L << page.alignment);
    }
}
