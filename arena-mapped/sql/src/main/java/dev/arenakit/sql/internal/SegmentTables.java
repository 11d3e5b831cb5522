package dev.arenakit.sql.internal;

import dev.arenakit.sql.internal.duckdb.EngineThread;
import dev.arenakit.sql.internal.duckdb.SqlIdentifiers;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// The tables of segments in one engine. A query holds the arenas of the segments open. Not thread-safe.
public final class SegmentTables {
    /// The largest number of arenas that a query can hold: a segment of each arena is an argument of one native call.
    private static final int MOST_ARENAS = 64;

    private final List<SegmentTable> tables = new ArrayList<>();
    private final ScanCallbacks callbacks;
    private final EngineThread thread;

    /// @param thread the thread that executes queries
    SegmentTables(ScanCallbacks callbacks, EngineThread thread) {
        this.callbacks = callbacks;
        this.thread = thread;
    }

    /// Adds a table, before its view is created. If this method or the creation of the view fails, the caller removes
    /// the table.
    ///
    /// @throws IllegalStateException if the tables use too many arenas
    public void add(SegmentTable table) {
        tables.add(table);
        if (begin(Thread.currentThread()).length > MOST_ARENAS) {
            throw new IllegalStateException("Too many arenas: limit=" + MOST_ARENAS
                    + "; allocate the segments of tables in fewer arenas");
        }
    }

    public void remove(SegmentTable table) {
        tables.remove(table);
        callbacks.remove(List.of(table));
    }

    /// Removes the tables of a name, after their view was dropped.
    public void remove(String name) {
        tables.stream().filter(table -> SqlIdentifiers.areEqual(table.name(), name)).toList().forEach(this::remove);
    }

    /// Begins a query, which may read the tables that its caller may read.
    ///
    /// @return a segment of each arena that the query must hold open. Arenas that are confined to the caller need no
    ///         holding, because the caller waits for the end of the query.
    public MemorySegment[] begin(Thread caller) {
        List<MemorySegment> held = new ArrayList<>();
        for (SegmentTable table : tables) {
            MemorySegment segment = table.segment();
            if (table.begin(caller) && thread.canAccess(segment)
                    && held.stream().noneMatch(other -> other.scope().equals(segment.scope()))) {
                held.add(segment);
            }
        }
        return held.toArray(MemorySegment[]::new);
    }

    /// Ends the query.
    public void end() {
        tables.forEach(SegmentTable::end);
    }

    public void clear() {
        tables.clear();
    }
}
