package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

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
        try {
            return at(segment, Objects.checkIndex(index, LIMIT) * BYTE_SIZE);
        } catch (RuntimeException e) {
            throw explained(e, segment, "index=" + index, index, BYTE_SIZE);
        }
    }

    @Override
    public Object viewAt(MemorySegment segment, long byteOffset) {
        try {
            return at(segment, byteOffset);
        } catch (RuntimeException e) {
            throw explained(e, segment, "byteOffset=" + byteOffset, byteOffset, 1);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // Who made the plan says so.
    public Cursor<Object> cursor(MemorySegment segment) {
        checkMultiple(Objects.requireNonNull(segment, "segment"));
        if (segment.byteSize() > 0) {
            var _ = view(segment, 0); // Checks the alignment of all.
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

    private static RuntimeException explained(RuntimeException e, MemorySegment segment, String place, long number,
            long stride) {
        // Not before the access, whose code is to be small.
        return AccessFailures.explained(e, PLAN.type(), Objects.requireNonNull(segment, "segment"), place, number,
                stride);
    }

    /// Checks what the handles of the members check too, so that the compiler drops theirs in loops: that the struct is within
    /// the segment, and aligned as far as the address shows. More would cost the accesses their inlining.
    private static Object at(MemorySegment segment, long byteOffset) {
        Objects.checkIndex(byteOffset, segment.byteSize() - BYTE_SIZE + 1);
        if (((segment.address() + byteOffset) & (BYTE_ALIGNMENT - 1)) != 0) {
            var _ = segment.asSlice(byteOffset, BYTE_SIZE, BYTE_ALIGNMENT); // Throws.
        }
        try {
            return (Object) CONSTRUCTOR.invokeExact(segment, byteOffset);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments threw", e);
        }
    }
}
