package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.NoSuchElementException;

/// The template for the cursors of one mapper; see [HiddenClassBuilder#copyOf].
final class ViewCursorTemplate implements Cursor<Object> {
    private static final ViewClassData PLAN = HiddenClassBuilder.classData(MethodHandles.lookup(), ViewClassData.class);
    private static final MethodHandle MOVE = PLAN.mover();
    private static final long BYTE_SIZE = PLAN.type().byteSize();

    private final Object view;
    private final long count;
    private long index = -1;

    ViewCursorTemplate(MemorySegment segment, Object view) {
        this.view = view;
        this.count = segment.byteSize() / BYTE_SIZE;
    }

    @Override
    public Object view() {
        if (index < 0) {
            throw new NoSuchElementException("Cursor is before the first struct: count=" + count
                    + "; call next or moveTo first");
        }
        return view;
    }

    @Override
    public boolean next() {
        long next = index + 1;
        if (next >= count) {
            return false;
        }
        move(next);
        return true;
    }

    @Override
    public Object moveTo(long index) {
        if (index < 0 || index >= count) {
            throw new IndexOutOfBoundsException("Struct is not within the segment: index=" + index + ", layout="
                    + PLAN.type().name() + ", layout.byteSize=" + BYTE_SIZE + ", count=" + count);
        }
        move(index);
        return view;
    }

    private void move(long to) {
        try {
            MOVE.invokeExact(view, to * BYTE_SIZE);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("The setter of a field cannot throw", e);
        }
        index = to;
    }

    @Override
    public long index() {
        return index;
    }

    @Override
    public long count() {
        return count;
    }
}
