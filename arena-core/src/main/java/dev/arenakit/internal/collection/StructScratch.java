package dev.arenakit.internal.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Memory in which a record is written before a map accesses its own memory, and which is used again. A mapper calls
/// the accessors of the record, which can do anything, for example change the map.
///
/// Calls at the same time, of several threads or from an accessor, each have their memory: the one that finds none
/// creates another.
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

    /// Returns zeroed memory, which no other call uses until it is given back.
    public MemorySegment take() {
        MemorySegment segment = (MemorySegment) SPARE.getAndSet(this, null);
        // Any thread may be the one that looks up.
        return segment == null ? Arena.ofAuto().allocate(layout) : segment.fill((byte) 0);
    }

    public void giveBack(MemorySegment segment) {
        SPARE.setRelease(this, segment);
    }

    /// As [#take], for a change of the map: no other thread may use it meanwhile. An atomic operation would take
    /// longer than the write itself.
    public MemorySegment takeForChange() {
        MemorySegment segment = spare;
        spare = null;
        return segment == null ? Arena.ofAuto().allocate(layout) : segment.fill((byte) 0);
    }

    public void giveBackAfterChange(MemorySegment segment) {
        spare = segment;
    }
}
