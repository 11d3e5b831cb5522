package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.NoSuchElementException;

/// The template for the references to one struct; see [ClassTemplate].
final class RefTemplate implements Ref32<Object> {
    private static final RefTarget.ClassData TARGET = ClassTemplate.classData(MethodHandles.lookup(),
            RefTarget.ClassData.class);
    private static final MethodHandle ACCESS = TARGET.access();
    private static final long BYTE_SIZE = TARGET.struct().byteSize();
    private static final long BYTE_ALIGNMENT = TARGET.struct().byteAlignment();

    private final long byteOffset;
    private final String array;

    private RefTemplate(long byteOffset, String array) {
        this.byteOffset = byteOffset;
        this.array = array;
    }

    // A MethodHandle of a constructor makes a check for agents at each call, which stays in loops.
    static Object create(long byteOffset, String array) {
        return new RefTemplate(byteOffset, array);
    }

    @Override
    public long byteOffset() {
        return byteOffset;
    }

    @Override
    public long offsetIn(MemorySegment memory) {
        long last = memory.byteSize() - BYTE_SIZE;
        if (byteOffset < 0 || byteOffset > last || (byteOffset & (BYTE_ALIGNMENT - 1)) != 0
                || (!array.isEmpty() && byteOffset % BYTE_SIZE != 0)) {
            check(memory);
        }
        return byteOffset;
    }

    @Override
    public Object follow(MemorySegment memory) {
        long offset = offsetIn(memory);
        if (offset < 0) {
            throw new NoSuchElementException("Reference points to nothing: " + layout() + "; call isNone first");
        }
        try {
            return (Object) ACCESS.invokeExact(memory, offset);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A mapper throws no checked exception", e);
        }
    }

    private void check(MemorySegment memory) {
        if (byteOffset == -1) {
            return;
        }
        String where = "byteOffset=" + Long.toUnsignedString(byteOffset) + ", " + layout() + ", memory.byteSize="
                + memory.byteSize() + (array.isEmpty() ? "" : ", allocation=" + array);
        if (byteOffset < 0 || byteOffset > memory.byteSize() - BYTE_SIZE) {
            throw new IndexOutOfBoundsException("Reference is not within the memory: " + where
                    + "; follow it in the memory that it was made for");
        }
        if ((byteOffset & (BYTE_ALIGNMENT - 1)) != 0) {
            throw new IllegalArgumentException("Reference is misaligned: " + where + ", byteAlignment="
                    + BYTE_ALIGNMENT + "; follow it in the memory that it was made for");
        }
        throw new IllegalArgumentException("Reference points into a struct: " + where + ", index="
                + byteOffset / BYTE_SIZE + ", remainder=" + byteOffset % BYTE_SIZE
                + "; follow it in the memory that it was made for, or remove @In if that is no array of the struct");
    }

    private static String layout() {
        return "layout=" + TARGET.struct().name() + ", layout.byteSize=" + BYTE_SIZE;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ref<?> reference && byteOffset == reference.byteOffset();
    }

    @Override
    public int hashCode() {
        return Long.hashCode(byteOffset);
    }

    @Override
    public String toString() {
        return byteOffset == -1 ? "none" : "+0x" + Long.toHexString(byteOffset);
    }
}
