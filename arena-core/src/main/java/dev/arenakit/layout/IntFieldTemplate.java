package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The template for the access to one field, whose VarHandle is a constant; see [HiddenClassBuilder#copyOf].
final class IntFieldTemplate extends IntField {
    private static final FieldClassData DATA = HiddenClassBuilder.classData(MethodHandles.lookup(),
            FieldClassData.class);
    private static final VarHandle HANDLE = DATA.handle();

    IntFieldTemplate() {}

    @Override
    public Field field() {
        return DATA.field();
    }

    @Override
    public int get(MemorySegment segment, long byteOffset) {
        try {
            return (int) HANDLE.get(segment, byteOffset);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public int getAtIndex(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.get(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public void set(MemorySegment segment, long byteOffset, int value) {
        try {
            HANDLE.set(segment, byteOffset, value);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public void setAtIndex(MemorySegment segment, long index, int value) {
        try {
            HANDLE.set(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public int getAcquire(MemorySegment segment, long byteOffset) {
        try {
            return (int) HANDLE.getAcquire(segment, byteOffset);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public int getAcquireAtIndex(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.getAcquire(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public void setRelease(MemorySegment segment, long byteOffset, int value) {
        try {
            HANDLE.setRelease(segment, byteOffset, value);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public void setReleaseAtIndex(MemorySegment segment, long index, int value) {
        try {
            HANDLE.setRelease(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public int getVolatile(MemorySegment segment, long byteOffset) {
        try {
            return (int) HANDLE.getVolatile(segment, byteOffset);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public int getVolatileAtIndex(MemorySegment segment, long index) {
        try {
            return (int) HANDLE.getVolatile(segment, DATA.offset(index));
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public void setVolatile(MemorySegment segment, long byteOffset, int value) {
        try {
            HANDLE.setVolatile(segment, byteOffset, value);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public void setVolatileAtIndex(MemorySegment segment, long index, int value) {
        try {
            HANDLE.setVolatile(segment, DATA.offset(index), value);
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public boolean compareAndSet(MemorySegment segment, long byteOffset, int expected, int value) {
        try {
            return HANDLE.compareAndSet(segment, byteOffset, expected, value);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public boolean compareAndSetAtIndex(MemorySegment segment, long index, int expected, int value) {
        try {
            return HANDLE.compareAndSet(segment, DATA.offset(index), expected, value);
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }

    @Override
    public int getAndAdd(MemorySegment segment, long byteOffset, int delta) {
        try {
            return (int) HANDLE.getAndAdd(segment, byteOffset, delta);
        } catch (RuntimeException e) {
            throw DATA.atOffset(e, segment, byteOffset);
        }
    }

    @Override
    public int getAndAddAtIndex(MemorySegment segment, long index, int delta) {
        try {
            return (int) HANDLE.getAndAdd(segment, DATA.offset(index), delta);
        } catch (RuntimeException e) {
            throw DATA.atIndex(e, segment, index);
        }
    }
}
