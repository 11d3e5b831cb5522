package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A field whose VarHandle is a constant; see [HiddenClass#copyOf].
final class MappedInt extends IntField {
    private static final FieldData DATA = HiddenClass.classData(MethodHandles.lookup(), FieldData.class);
    private static final VarHandle HANDLE = DATA.handle();

    MappedInt() {}

    @Override
    public Field field() {
        return DATA.field();
    }

    @Override
    public int get(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.get(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void set(MemorySegment segment, long index, int value) {
        try {
            HANDLE.set(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public int getAcquire(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.getAcquire(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void setRelease(MemorySegment segment, long index, int value) {
        try {
            HANDLE.setRelease(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public int getVolatile(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.getVolatile(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void setVolatile(MemorySegment segment, long index, int value) {
        try {
            HANDLE.setVolatile(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public boolean compareAndSet(MemorySegment segment, long index, int expected, int value) {
        try {
            return HANDLE.compareAndSet(segment, DATA.offset(index), expected, value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public int getAndAdd(MemorySegment segment, long index, int delta) {
        try {
            return (int) HANDLE.getAndAdd(segment, DATA.offset(index), delta);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }
}
