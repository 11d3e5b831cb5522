package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.AccessExceptions;
import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.emit.ShortStructs;
import dev.arenakit.internal.layout.view.ViewMappers;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// The template for the mapper of one interface; see [ClassTemplate].
final class ViewMapperTemplate extends ViewMapper<Object> {
    private static final ViewMappers.ClassData PLAN = ClassTemplate.classData(MethodHandles.lookup(),
            ViewMappers.ClassData.class);
    private static final MethodHandle FACTORY = PLAN.implementation().factory();
    private static final long BYTE_SIZE = PLAN.type().byteSize();
    private static final long BYTE_ALIGNMENT = PLAN.type().byteAlignment();
    // The offset overflows from this index on.
    private static final long LIMIT = Long.MAX_VALUE / BYTE_SIZE;

    @SuppressWarnings("unchecked") // Views of any interface are objects here.
    ViewMapperTemplate() {
        super(PLAN.type(), (Class<Object>) PLAN.view());
    }

    @Override
    public long byteSize() {
        return BYTE_SIZE;
    }

    @Override
    public Object viewAtIndex(MemorySegment segment, long index) {
        try {
            return at(segment, Objects.checkIndex(index, LIMIT) * BYTE_SIZE);
        } catch (RuntimeException e) {
            throw explained(e, segment, "index=" + index, index, BYTE_SIZE);
        }
    }

    @Override
    public Object view(MemorySegment segment, long byteOffset) {
        try {
            return at(segment, byteOffset);
        } catch (RuntimeException e) {
            throw explained(e, segment, "byteOffset=" + byteOffset, byteOffset, 1);
        }
    }

    @Override
    public Object view(MemorySegment segment) {
        return view(segment, 0);
    }

    @Override
    Object element(MemorySegment segment, long index) {
        return viewAtIndex(segment, index);
    }

    @Override
    void store(MemorySegment segment, long index, Object view) {
        MemorySegment memory = PLAN.implementation().memory(Objects.requireNonNull(view, "value"), PLAN.type());
        copy(memory, 0, segment, index, 1);
    }

    @Override
    Object replace(MemorySegment segment, long index, Object view) {
        throw new UnsupportedOperationException("List of views cannot be changed: layout=" + PLAN.type().name()
                + ", index=" + index + "; write through the view at the index, or use fill");
    }

    private static RuntimeException explained(RuntimeException e, MemorySegment segment, String place, long number,
            long stride) {
        // The check for null is here, because the code of the access itself must be small.
        RuntimeException explained = AccessExceptions.explained(e, PLAN.type(),
                Objects.requireNonNull(segment, "segment"), place, number, stride, false);
        return ShortStructs.refuseView(explained, PLAN.type(), segment, place, number, stride);
    }

    /// Makes the checks that the VarHandles of the members make too, so that the compiler removes the checks of the
    /// VarHandles in loops: the struct is within the segment, and its address is aligned. More checks would prevent the
    /// inlining of the accesses. An array on the heap guarantees an alignment too, which accesses to elements and texts
    /// do not check; a native segment has no cost for that check.
    private static Object at(MemorySegment segment, long byteOffset) {
        Objects.checkIndex(byteOffset, segment.byteSize() - BYTE_SIZE + 1);
        if (((segment.address() + byteOffset) & (BYTE_ALIGNMENT - 1)) != 0
                || (BYTE_ALIGNMENT > 1 && !segment.isNative() && segment.maxByteAlignment() < BYTE_ALIGNMENT)) {
            var _ = segment.asSlice(byteOffset, BYTE_SIZE, BYTE_ALIGNMENT); // Throws.
        }
        try {
            return (Object) FACTORY.invokeExact(segment, byteOffset);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A method that only stores its arguments cannot throw", e);
        }
    }
}
