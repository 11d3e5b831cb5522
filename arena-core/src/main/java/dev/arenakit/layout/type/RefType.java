package dev.arenakit.layout.type;

import dev.arenakit.internal.CIdentifiers;
import dev.arenakit.internal.Sizes;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/// A reference to a struct: the offset of the struct from the beginning of some memory, which is called the base.
///
/// The number in memory is unsigned. It is the offset plus 1 if it has 8 bytes, and the offset in units of the
/// alignment of the struct, plus 1, if it has 4 bytes. The number 0 is no reference.
///
/// The type has the name, the size and the alignment of the struct, and not the struct itself, because a struct may
/// contain references to itself.
///
/// @param target              the name of the struct, or "" for none
/// @param targetByteSize      the size of the struct in bytes
/// @param targetByteAlignment the alignment of the struct in bytes
/// @param allocation          the name of the allocation that is the base, and an array of the struct; or empty if the
///                            base is the memory that contains the reference
/// @param byteSize            the size of the number in bytes: 4 or 8
/// @param order               the byte order
/// @param byteAlignment       the alignment of the number itself, in bytes
public record RefType(String target, long targetByteSize, long targetByteAlignment, Optional<String> allocation,
        long byteSize, ByteOrder order, long byteAlignment) implements MemoryType {
    /// Creates the type of a reference.
    ///
    /// @throws IllegalArgumentException if the name is neither empty nor a C identifier, if a size or an alignment is
    ///                                  not valid, or if the name of the allocation is empty or contains a quotation
    ///                                  mark or a control character
    public RefType {
        CIdentifiers.checkOptional(target);
        Objects.requireNonNull(order, "order");
        Sizes.checkAlignment(targetByteAlignment);
        Sizes.checkAlignment(byteAlignment);
        if (targetByteSize < 1) {
            throw new IllegalArgumentException("Struct at a reference has no size: target=" + target
                    + ", targetByteSize=" + targetByteSize + "; give it a member that has one");
        }
        if (byteSize != Integer.BYTES && byteSize != Long.BYTES) {
            throw new IllegalArgumentException("Size of a reference is out of range: target=" + target + ", byteSize="
                    + byteSize + "; use 4 or 8");
        }
        String base = allocation.orElse("-");
        if (base.isEmpty() || base.chars().anyMatch(unit -> unit == '"' || Character.isISOControl(unit))) {
            throw new IllegalArgumentException("Name of an allocation cannot be the base of a reference: allocation="
                    + base + "; it has 1 or more characters, no quotation mark and no control character");
        }
    }

    /// Returns the unit of the number in memory.
    ///
    /// @return 1 for a number of 8 bytes, the alignment of the struct for a number of 4 bytes
    public long unit() {
        return byteSize == Long.BYTES ? 1 : targetByteAlignment;
    }

    /// Returns the offset that a number in memory means.
    ///
    /// @param stored the number, extended with zeros
    /// @return the offset in bytes, -1 for 0; it is less than -1 for numbers of 2^63 and more, which no memory contains
    public long byteOffset(long stored) {
        return stored == 0 ? -1 : (stored - 1) * unit();
    }

    /// Returns the number in memory that means an offset.
    ///
    /// @param byteOffset the offset in bytes
    /// @return the number, or 0 if no number means this offset
    public long stored(long byteOffset) {
        long stored = byteOffset / unit() + 1;
        boolean fits = byteSize == Long.BYTES || stored >>> Integer.SIZE == 0;
        return fits && byteOffset(stored) == byteOffset ? stored : 0;
    }

    /// Returns whether a struct has the size and the alignment of the struct at the reference.
    ///
    /// @param struct a struct
    /// @return whether it can be at the reference
    public boolean suits(StructType struct) {
        return struct.byteSize() == targetByteSize && struct.byteAlignment() == targetByteAlignment;
    }

    /// Returns whether the base is an array of the struct, so that an offset within a struct is wrong.
    ///
    /// @param container the type of the consecutive structs that contain the reference
    /// @return whether the type names an allocation, or the structs refer to structs among themselves
    public boolean isArray(StructType container) {
        return allocation.isPresent()
                || (container.name().equals(target) && container.byteSize() == targetByteSize);
    }

    /// Returns the struct that a number in memory refers to as text: `none`, `nodes[17]`, `[17]` or `+0x440`. If the
    /// number is wrong, the reason follows, as in `nodes[99] (out of bounds)`.
    ///
    /// @param stored       the number, extended with zeros
    /// @param isArray      whether the base is an array of the struct
    /// @param baseByteSize the size of the base in bytes, or [Long#MAX_VALUE] if it is unknown
    /// @return the text
    public String text(long stored, boolean isArray, long baseByteSize) {
        if (stored == 0) {
            return "none";
        }
        long byteOffset = byteOffset(stored);
        boolean isElement = isArray && byteOffset >= 0 && byteOffset % targetByteSize == 0;
        String text = allocation.orElse("")
                + (isElement ? "[" + byteOffset / targetByteSize + "]" : "+0x" + Long.toHexString(byteOffset));
        if (byteOffset < 0 || byteOffset > baseByteSize - targetByteSize) {
            return text + " (out of bounds)";
        }
        if (byteOffset % targetByteAlignment != 0) {
            return text + " (misaligned)";
        }
        return isArray && !isElement ? text + " (within [" + byteOffset / targetByteSize + "])" : text;
    }

    @Override
    public boolean isScalar() {
        return true;
    }

    @Override
    public RefType withByteAlignment(long byteAlignment) {
        return new RefType(target, targetByteSize, targetByteAlignment, allocation, byteSize, order, byteAlignment);
    }

    @Override
    public RefType withOrder(ByteOrder order) {
        return new RefType(target, targetByteSize, targetByteAlignment, allocation, byteSize, order, byteAlignment);
    }

    /// Returns the layout of a `long` or an `int` with this size, byte order and alignment.
    @Override
    public ValueLayout layout() {
        return (ValueLayout) UnsignedType.of(byteSize, order).withByteAlignment(byteAlignment).layout();
    }
}
