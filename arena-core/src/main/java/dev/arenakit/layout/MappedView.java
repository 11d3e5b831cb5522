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
        if (index < 0 || index >= LIMIT || !fits(segment, index * BYTE_SIZE)) {
            throw misplaced(segment, "index=" + index, index, BYTE_SIZE);
        }
        return at(segment, index * BYTE_SIZE);
    }

    @Override
    public Object viewAt(MemorySegment segment, long byteOffset) {
        if (byteOffset < 0 || !fits(segment, byteOffset)) {
            throw misplaced(segment, "byteOffset=" + byteOffset, byteOffset, 1);
        }
        return at(segment, byteOffset);
    }

    /// Whether the struct is within the segment, and aligned where that shows in the address. What else there is to check is
    /// checked with each access; what is checked here costs it inlining.
    private static boolean fits(MemorySegment segment, long byteOffset) {
        return byteOffset <= segment.byteSize() - BYTE_SIZE
                && ((segment.address() + byteOffset) & (BYTE_ALIGNMENT - 1)) == 0;
    }

    private static RuntimeException misplaced(MemorySegment segment, String place, long number, long stride) {
        try {
            // The product overflows where the number is far outside; any offset outside will do.
            var _ = segment.asSlice(number < 0 || number >= Long.MAX_VALUE / stride ? -1 : number * stride, BYTE_SIZE,
                    BYTE_ALIGNMENT);
            throw new AssertionError("A struct that fits was refused: " + place);
        } catch (RuntimeException e) {
            return AccessFailures.explained(e, PLAN.type(), segment, place, number, stride);
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
        try {
            return (Object) CONSTRUCTOR.invokeExact(segment, byteOffset);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments threw", e);
        }
    }
}
