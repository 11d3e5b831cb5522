package dev.arenakit.collection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Memory in which the struct of a key is written for a look-up, and which is used again.
///
/// Threads that look up at the same time each have their memory: the one that finds none creates another.
final class KeyStruct {
    private static final VarHandle SPARE;

    static {
        try {
            SPARE = MethodHandles.lookup().findVarHandle(KeyStruct.class, "spare", MemorySegment.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final StructLayout layout;
    /// Memory that no thread uses, or null.
    @SuppressWarnings("unused") // It is accessed by its handle.
    private @Nullable MemorySegment spare;

    KeyStruct(StructLayout layout) {
        this.layout = layout;
    }

    /// Returns zeroed memory, which no other thread uses until it is given back.
    MemorySegment take() {
        MemorySegment segment = (MemorySegment) SPARE.getAndSet(this, null);
        // Any thread may be the one that looks up.
        return segment == null ? Arena.ofAuto().allocate(layout) : segment.fill((byte) 0);
    }

    void giveBack(MemorySegment segment) {
        SPARE.setRelease(this, segment);
    }
}
