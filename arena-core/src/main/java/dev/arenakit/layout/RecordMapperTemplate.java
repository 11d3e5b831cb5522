package dev.arenakit.layout;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.internal.layout.record.RecordFailures;
import dev.arenakit.internal.layout.record.RecordMappers;
import dev.arenakit.internal.layout.value.RecordCodec;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/// The template for the mapper of one record class; see [ClassTemplate].
///
/// Each mapper has its own code for each of its methods. The profiles of different record classes are therefore
/// separate.
final class RecordMapperTemplate extends RecordMapper<Object> implements RecordCodec {
    private static final RecordMappers.ClassData DATA = ClassTemplate.classData(MethodHandles.lookup(),
            RecordMappers.ClassData.class);
    private static final MethodHandle READ = DATA.read();
    private static final MethodHandle WRITE = DATA.write();
    private static final long BYTE_SIZE = DATA.type().byteSize();
    // The offset overflows from this index on. It is a constant, so that the compiler removes the check in loops.
    private static final long LIMIT = Long.MAX_VALUE / BYTE_SIZE;

    RecordMapperTemplate() {
        super(DATA.type(), DATA.record());
    }

    @Override
    public long byteSize() {
        return BYTE_SIZE;
    }

    @Override
    public Object get(MemorySegment segment, long byteOffset) {
        try {
            return read(segment, byteOffset);
        } catch (RuntimeException e) {
            return RecordFailures.read(e, this, segment, "byteOffset", byteOffset, 1);
        }
    }

    @Override
    public Object get(MemorySegment segment) {
        return get(segment, 0);
    }

    @Override
    public Object getAtIndex(MemorySegment segment, long index) {
        try {
            return read(segment, Objects.checkIndex(index, LIMIT) * BYTE_SIZE);
        } catch (RuntimeException e) {
            return RecordFailures.read(e, this, segment, "index", index, BYTE_SIZE);
        }
    }

    @Override
    public void set(MemorySegment segment, long byteOffset, Object record) {
        try {
            write(segment, byteOffset, record);
        } catch (RuntimeException e) {
            RecordFailures.write(e, this, segment, "byteOffset", byteOffset, 1, record);
        }
    }

    @Override
    public void set(MemorySegment segment, Object record) {
        set(segment, 0, record);
    }

    @Override
    public void setAtIndex(MemorySegment segment, long index, Object record) {
        try {
            write(segment, Objects.checkIndex(index, LIMIT) * BYTE_SIZE, record);
        } catch (RuntimeException e) {
            RecordFailures.write(e, this, segment, "index", index, BYTE_SIZE, record);
        }
    }

    private static Object read(MemorySegment segment, long byteOffset) {
        try {
            return (Object) READ.invokeExact(segment, byteOffset);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw undeclared(e);
        }
    }

    private static void write(MemorySegment segment, long byteOffset, Object record) {
        try {
            WRITE.invokeExact(segment, byteOffset, record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw undeclared(e);
        }
    }
}
