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
    private final Map<Long, ArenaBlocks> arenas = new HashMap<>();
    private long blocks;

    /// @param problems takes the description of events that are lost or damaged
    public TraceReader(Consumer<? super String> problems) {
        this.problems = problems;
    }

    /// Reads the events, in linear time and with memory for the live blocks.
    public void read(List<TracePage> pages, Consumer<? super TraceEvent> events) {
        Map<Integer, List<TracePage>> byWriter = new HashMap<>();
        for (TracePage page : pages) {
            if (page.isIntact()) {
                byWriter.computeIfAbsent(page.writer(), _ -> new ArrayList<>()).add(page);
            } else if (!page.isEmpty()) {
                problems.accept("A page is damaged, and its events are left out: " + page.place());
            }
        }
        PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparingLong(Cursor::nanos));
        for (List<TracePage> some : byWriter.values()) {
            some.sort(Comparator.comparingInt(TracePage::number));
            add(cursors, new Cursor(new ArrayDeque<>(some)));
        }
        while (!cursors.isEmpty()) {
            Cursor cursor = cursors.remove();
            TraceEvent event = event(cursor.page());
            if (event != null) {
                events.accept(event);
            }
            add(cursors, cursor);
        }
    }

    private void add(PriorityQueue<Cursor> cursors, Cursor cursor) {
        while (!cursor.pages.isEmpty()) {
            TracePage page = cursor.page();
            try {
                if (page.next()) {
                    cursors.add(cursor);
                    return;
                }
            } catch (IllegalStateException _) {
                problems.accept("An event is damaged, and the rest of its page is left out: " + page.placeOfEvent());
            }
            cursor.pages.remove();
        }
    }

    private @Nullable TraceEvent event(TracePage page) {
        if (page.kind == Kind.OPEN) {
            if (arenas.putIfAbsent(page.arena, new ArenaBlocks()) != null) {
                return leftOut(page, "its arena is open");
            }
            return event(page, -1);
        }
        ArenaBlocks arena = arenas.get(page.arena);
        if (arena == null) {
            return leftOut(page, "its arena is not open");
        }
        long block = -1;
        switch (page.kind) {
            case ALLOCATE_BLOCK -> {
                block = blocks++;
                arena.add(page.address, block);
            }
            case FREE_BLOCK, RESIZE_BLOCK -> {
                block = arena.remove(page.address);
                if (block < 0) {
                    return leftOut(page, "there is no block at address 0x" + Long.toHexString(page.address));
                }
                if (page.kind == Kind.RESIZE_BLOCK) {
                    arena.add(page.newAddress, block);
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

    private static TraceEvent event(TracePage page, long block) {
        return new TraceEvent(page.kind, page.nanos, page.thread >> 1, (page.thread & 1) != 0, page.arena,
                page.isShared,
                block, page.byteSize, 1L << page.alignment);
    }

    private record Cursor(Deque<TracePage> pages) {
        TracePage page() {
            return pages.getFirst();
        }

        long nanos() {
            return page().nanos;
        }
    }

    /// The live blocks of an arena.
    private static final class ArenaBlocks {
        private final Map<Long, Long> live = new HashMap<>();
        /// The older blocks at addresses that have two, the oldest block first.
        private final Map<Long, Deque<Long>> older = new HashMap<>();

        void add(long address, long block) {
            Long replaced = live.put(address, block);
            if (replaced != null) {
                older.computeIfAbsent(address, _ -> new ArrayDeque<>()).add(replaced);
            }
        }

        long remove(long address) {
            Deque<Long> oldest = older.get(address);
            if (oldest == null) {
                Long block = live.remove(address);
                return block == null ? -1 : block;
            }
            long block = oldest.remove();
            if (oldest.isEmpty()) {
                older.remove(address);
            }
            return block;
        }
    }
}
