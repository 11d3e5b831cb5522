package dev.arenakit.mapped.internal.table;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Reusable memory for an entry, to which its records are written before a map is read or changed. A mapper calls the
/// accessors of a record, and an accessor may even use the map.
///
/// Simultaneous calls, of several threads or from an accessor, use different memory: a call that finds no spare memory
/// allocates some.
final class EntryScratch {
    private static final VarHandle SPARE;

    static {
        try {
            SPARE = MethodHandles.lookup().findVarHandle(EntryScratch.class, "spare", MemorySegment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long byteSize;
    private final long byteAlignment;
    /// Memory that no call uses, or null.
    private @Nullable MemorySegment spare;

    EntryScratch(long byteSize, long byteAlignment) {
        this.byteSize = byteSize;
        this.byteAlignment = byteAlignment;
    }

    /// Returns zeroed memory. No other call uses it until it is given back.
    MemorySegment take() {
        MemorySegment segment = (MemorySegment) SPARE.getAndSet(this, null);
        return segment == null ? allocate() : segment.fill((byte) 0);
    }

    void giveBack(MemorySegment segment) {
        SPARE.setRelease(this, segment);
    }

    /// Returns zeroed memory for a change. No other thread changes the map meanwhile, so that no atomic operation is
    /// needed; it would take longer than the write itself.
    MemorySegment takeForChange() {
        MemorySegment segment = spare;
        spare = null;
        return segment == null ? allocate() : segment.fill((byte) 0);
    }

    void giveBackAfterChange(MemorySegment segment) {
        spare = segment;
    }

    /// The memory is automatic, because any thread may look up.
    private MemorySegment allocate() {
        return Arena.ofAuto().allocate(byteSize, byteAlignment);
    }
}
