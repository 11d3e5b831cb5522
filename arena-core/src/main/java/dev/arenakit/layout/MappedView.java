package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/// The mapper of one interface; see [HiddenClass#copyOf].
final class MappedView extends ViewMapper<Object> {
    private static final ViewPlan PLAN = HiddenClass.classData(MethodHandles.lookup(), ViewPlan.class);
    private static final MethodHandle CONSTRUCTOR = PLAN.constructor();
    private static final MethodHandle CURSOR = PLAN.cursor();
    private static final long BYTE_SIZE = PLAN.type().byteSize();
    private static final long BYTE_ALIGNMENT = PLAN.type().byteAlignment();
    // Beyond this index the offset overflows.
    private static final long LIMIT = Long.MAX_VALUE / BYTE_SIZE;

    MappedView() {
        super(PLAN.type());
    }

    @Override
    public long byteSize() {
        return BYTE_SIZE;
    }

    @Override
    public Object view(MemorySegment segment, long index) {
        if (index < 0 || index >= LIMIT) {
            throw AccessFailures.explained(new IndexOutOfBoundsException(), PLAN.type(), segment, "index=" + index,
                    index, BYTE_SIZE);
        }
        try {
            return at(segment, index * BYTE_SIZE);
        } catch (RuntimeException e) {
            throw AccessFailures.explained(e, PLAN.type(), segment, "index=" + index, index, BYTE_SIZE);
        }
    }

    @Override
    public Object viewAt(MemorySegment segment, long byteOffset) {
        try {
            return at(segment, byteOffset);
        } catch (RuntimeException e) {
            throw AccessFailures.explained(e, PLAN.type(), segment, "byteOffset=" + byteOffset, byteOffset, 1);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // Who made the plan says so.
    public Cursor<Object> cursor(MemorySegment segment) {
        checkMultiple(segment);
        if (segment.byteSize() > 0) {
            var _ = view(segment, 0);
        }
        try {
            Object view = (Object) CONSTRUCTOR.invokeExact(segment, 0L);
            return (Cursor<Object>) (Object) CURSOR.invokeExact(segment, view);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments threw", e);
        }
    }

    private static Object at(MemorySegment segment, long byteOffset) {
        var _ = segment.asSlice(byteOffset, BYTE_SIZE, BYTE_ALIGNMENT);
        try {
            return (Object) CONSTRUCTOR.invokeExact(segment, byteOffset);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments threw", e);
        }
    }
}
