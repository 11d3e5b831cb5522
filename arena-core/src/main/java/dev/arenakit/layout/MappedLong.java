package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A field whose VarHandle is a constant; see [HiddenClass#copyOf].
final class MappedLong extends LongField {
    private static final FieldData DATA = HiddenClass.classData(MethodHandles.lookup(), FieldData.class);
    private static final VarHandle HANDLE = DATA.handle();

    MappedLong() {}

    @Override
    public Field field() {
        return DATA.field();
    }

    @Override
    public long get(MemorySegment segment, long index) {
        try {
            return (long) HANDLE.get(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void set(MemorySegment segment, long index, long value) {
        try {
            HANDLE.set(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public long getAcquire(MemorySegment segment, long index) {
        try {
            return (long) HANDLE.getAcquire(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void setRelease(MemorySegment segment, long index, long value) {
        try {
            HANDLE.setRelease(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public long getVolatile(MemorySegment segment, long index) {
        try {
            return (long) HANDLE.getVolatile(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public void setVolatile(MemorySegment segment, long index, long value) {
        try {
            HANDLE.setVolatile(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public boolean compareAndSet(MemorySegment segment, long index, long expected, long value) {
        try {
            return HANDLE.compareAndSet(segment, DATA.offset(index), expected, value);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }

    @Override
    public long getAndAdd(MemorySegment segment, long index, long delta) {
        try {
            return (long) HANDLE.getAndAdd(segment, DATA.offset(index), delta);
        } catch (RuntimeException e) {
            throw DATA.explained(e, segment, index);
        }
    }
}
