package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.diagnostics.ArenaRecorder;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/// An arena of a pool that records its arenas. For the recorder, a detached arena and the arena that is attached in its
/// place are one arena.
public final class RecordedSlabArena implements SlabArena {
    private final SlabArena arena;
    private final ArenaRecorder recorder;
    private final long number;
    /// Whether the end of the arena was recorded.
    private final AtomicBoolean isEnded;
    private boolean isDetached;

    private RecordedSlabArena(SlabArena arena, ArenaRecorder recorder, long number, AtomicBoolean isEnded) {
        this.arena = arena;
        this.recorder = recorder;
        this.number = number;
        this.isEnded = isEnded;
    }

    /// Records an arena that was just opened. If this method fails, it has closed the arena.
    public static SlabArena of(SlabArena opened, ArenaRecorder recorder, boolean isShared) {
        try {
            long number = recorder.opened(isShared);
            return number == 0 ? opened : new RecordedSlabArena(opened, recorder, number, new AtomicBoolean());
        } catch (Throwable t) {
            opened.close();
            throw t;
        }
    }

    SlabArena successor(SlabArena attached) {
        return new RecordedSlabArena(attached, recorder, number, isEnded);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment memory = arena.allocate(byteSize, byteAlignment);
        recorder.allocated(number, byteSize, byteAlignment);
        return memory;
    }

    @Override
    public SlabArena pushFrame() {
        return of(arena.pushFrame(), recorder, false);
    }

    @Override
    public SlabParcel detach() {
        DetachedSlabs parcel;
        try {
            parcel = (DetachedSlabs) arena.detach();
        } catch (Throwable t) {
            closedIf(!isDetached && !scope().isAlive());
            throw t;
        }
        // No call from here on, so that no Error loses the memory.
        parcel.recorded = this;
        isDetached = true;
        return parcel;
    }

    @Override
    public MemorySegment.Scope scope() {
        return arena.scope();
    }

    @Override
    public void close() {
        boolean isClosed = false;
        try {
            arena.close();
            isClosed = !isDetached;
        } finally {
            // A cleanup may have thrown after the end of the scope.
            closedIf(isClosed || (!isDetached && !scope().isAlive()));
        }
    }

    void closedIf(boolean isClosed) {
        if (isClosed && !isEnded.getAndSet(true)) {
            recorder.closed(number);
        }
    }
}
