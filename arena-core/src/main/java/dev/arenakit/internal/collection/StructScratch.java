package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Reusable memory to which a record is written before a map accesses its own memory. A mapper calls the accessors of
/// the record, and an accessor may even change the map.
///
/// Simultaneous calls, of several threads or from an accessor, use different memory: a call that finds no spare memory
/// allocates some.
public final class StructScratch {
    private static final VarHandle SPARE;

    static {
        try {
            SPARE = MethodHandles.lookup().findVarHandle(StructScratch.class, "spare", MemorySegment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StructLayout layout;
    /// Memory that no call uses, or null.
    private @Nullable MemorySegment spare;

    public StructScratch(StructLayout layout) {
        this.layout = layout;
    }

    /// Returns zeroed memory. No other call uses it until it is given back.
    public MemorySegment take() {
        MemorySegment segment = (MemorySegment) SPARE.getAndSet(this, null);
        // The memory is automatic, because any thread may look up.
        return segment == null ? Arena.ofAuto().allocate(layout) : segment.fill((byte) 0);
    }

    public void giveBack(MemorySegment segment) {
        SPARE.setRelease(this, segment);
    }

    /// Returns zeroed memory for a change of the map. No other thread may use the map meanwhile, so that no atomic
    /// operation is needed; it would take longer than the write itself.
    public MemorySegment takeForChange() {
        MemorySegment segment = spare;
        spare = null;
        return segment == null ? Arena.ofAuto().allocate(layout) : segment.fill((byte) 0);
    }

    public void giveBackAfterChange(MemorySegment segment) {
        spare = segment;
    }
}
