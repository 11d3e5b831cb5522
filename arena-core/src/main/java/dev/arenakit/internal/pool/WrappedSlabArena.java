package dev.arenakit.internal.pool;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;

/// An arena of a pool whose memory a wrapper of another arena allocates.
public final class WrappedSlabArena implements SlabArena {
    private final SlabArena inner;
    private final UnaryOperator<Arena> wrapping;
    private final Arena wrapper;

    public WrappedSlabArena(SlabArena inner, UnaryOperator<Arena> wrapping) {
        this.inner = inner;
        this.wrapping = wrapping;
        wrapper = wrapping.apply(inner);
    }

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        MemorySegment segment = wrapper.allocate(byteSize, byteAlignment);
        // The wrapper may not call the inner arena, which throws if a frame is open.
        inner.allocate(0, 1);
        return segment;
    }

    @Override
    public SlabArena pushFrame() {
        SlabArena frame = inner.pushFrame();
        try {
            return new WrappedSlabArena(frame, wrapping);
        } catch (Throwable t) {
            frame.close();
            throw t;
        }
    }

    @Override
    public SlabParcel detach() {
        throw new UnsupportedOperationException("A wrapped arena cannot be detached: the memory is the wrapper's");
    }

    @Override
    public MemorySegment.Scope scope() {
        return wrapper.scope();
    }

    @Override
    public void close() {
        wrapper.close();
    }
}
