package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.emit.KnownMethods;
import dev.arenakit.layout.type.StoredInteger;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;

/// A field without a VarHandle: an integer of 3, 5, 6 or 7 bytes, a bit field, or an array of these. Its operations
/// make the same checks as a VarHandle.
///
/// @param integer       the integer
/// @param byteSize      the size of the struct
/// @param byteAlignment the alignment of the struct
/// @param byteOffset    the offset of the field in the struct
/// @param length        the number of elements, or -1 if the field is no array
public record PackedField(StoredInteger integer, long byteSize, long byteAlignment, long byteOffset, long length) {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    long get(MemorySegment segment, long base) {
        return integer.get(segment, checked(segment, base) + byteOffset);
    }

    long get(MemorySegment segment, long base, long element) {
        return integer.get(segment, checked(segment, base) + offset(element));
    }

    void set(MemorySegment segment, long base, long value) {
        integer.set(segment, checked(segment, base) + byteOffset, value);
    }

    void set(MemorySegment segment, long base, long element, long value) {
        integer.set(segment, checked(segment, base) + offset(element), value);
    }

    private long offset(long element) {
        return byteOffset + Objects.checkIndex(element, length) * integer.byteSize();
    }

    private long checked(MemorySegment segment, long base) {
        Objects.checkIndex(base, segment.byteSize() - byteSize + 1);
        // An array of the heap may guarantee less than its offset promises.
        if (((segment.address() + base) & (byteAlignment - 1)) != 0 || segment.maxByteAlignment() < byteAlignment) {
            var _ = segment.asSlice(base, byteSize, byteAlignment); // Throws if the struct is misaligned.
        }
        return base;
    }

    /// Returns `get` or `set` as a MethodHandle, with the index of an element if the field is an array.
    ///
    /// @param type the result, and the value if there is one
    MethodHandle bound(String name, MethodType type) {
        MethodType whole = length < 0
                ? type.insertParameterTypes(0, MemorySegment.class, long.class)
                : type.insertParameterTypes(0, MemorySegment.class, long.class, long.class);
        return KnownMethods.bind(LOOKUP, this, name, whole);
    }
}
