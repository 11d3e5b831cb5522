package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.ClassTemplate;
import dev.arenakit.layout.Ref;
import dev.arenakit.layout.Ref32;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.NoSuchElementException;

/// The template for the references to one struct; see [ClassTemplate].
final class RefTemplate implements Ref32<Object>, RefTarget.Factory {
    private static final RefTarget.ClassData TARGET = ClassTemplate.classData(MethodHandles.lookup(),
            RefTarget.ClassData.class);
    private static final MethodHandle ACCESS = TARGET.access();
    private static final long BYTE_SIZE = TARGET.struct().byteSize();
    private static final long BYTE_ALIGNMENT = TARGET.struct().byteAlignment();

    private final long byteOffset;
    private final String array;

    RefTemplate() {
        this(-1, "");
    }

    private RefTemplate(long byteOffset, String array) {
        this.byteOffset = byteOffset;
        this.array = array;
    }

    @Override
    public Object at(long other, String otherArray) {
        return new RefTemplate(other, otherArray);
    }

    @Override
    public long byteOffset() {
        return byteOffset;
    }

    @Override
    public long offsetIn(MemorySegment memory) {
        if (byteOffset != -1 && (byteOffset < 0 || byteOffset > memory.byteSize() - BYTE_SIZE
                || (byteOffset & (BYTE_ALIGNMENT - 1)) != 0 || (!array.isEmpty() && byteOffset % BYTE_SIZE != 0))) {
            throw refused(byteOffset, array, memory.byteSize());
        }
        return byteOffset;
    }

    @Override
    public Object follow(MemorySegment memory) {
        long offset = offsetIn(memory);
        if (offset < 0) {
            throw new NoSuchElementException("Reference points to nothing: layout=" + TARGET.struct().name()
                    + "; call isNone first");
        }
        try {
            return (Object) ACCESS.invokeExact(memory, offset);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("A mapper throws no checked exception", e);
        }
    }

    // Not a method of the object, which would escape.
    private static RuntimeException refused(long byteOffset, String array, long memoryByteSize) {
        boolean isOutside = byteOffset < 0 || byteOffset > memoryByteSize - BYTE_SIZE;
        boolean isMisaligned = (byteOffset & (BYTE_ALIGNMENT - 1)) != 0;
        String message = "Reference "
                + (isOutside ? "is not within the memory" : isMisaligned ? "is misaligned" : "points into a struct")
                + ": byteOffset=" + Long.toUnsignedString(byteOffset) + ", layout=" + TARGET.struct().name()
                + ", layout.byteSize=" + BYTE_SIZE + ", layout.byteAlignment=" + BYTE_ALIGNMENT + ", memory.byteSize="
                + memoryByteSize + (array.isEmpty() ? "" : ", allocation=" + array)
                + "; follow it in the memory that it was made for";
        return isOutside ? new IndexOutOfBoundsException(message) : new IllegalArgumentException(message);
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
