package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import dev.arenakit.layout.annotation.TargetByteSize;
import java.lang.foreign.MemorySegment;

/// Access to an address in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final AddressField NEXT = NODES.addressField("next");
///
/// MemorySegment next = NEXT.get(node, 0);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
///
/// A segment that is read has the size in [TargetByteSize] of the component, or 0; the address 0 is read as a segment
/// of size 0. Addresses are compared, not sizes. A heap segment has no address, and cannot be written.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class AddressField extends Field {
    AddressField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract MemorySegment get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final MemorySegment get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract MemorySegment getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, MemorySegment value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, MemorySegment value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, MemorySegment value);

    /// {@return the value, read in opaque mode}
    public abstract MemorySegment getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract MemorySegment getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, MemorySegment value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, MemorySegment value);

    /// {@return the value, read in acquire mode}
    public abstract MemorySegment getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract MemorySegment getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, MemorySegment value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, MemorySegment value);

    /// {@return the value, read in volatile mode}
    public abstract MemorySegment getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract MemorySegment getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, MemorySegment value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, MemorySegment value);

    /// Writes the value atomically, and returns the previous one.
    public abstract MemorySegment getAndSet(MemorySegment segment, long byteOffset, MemorySegment value);

    /// Writes the value atomically, and returns the previous one.
    public abstract MemorySegment getAndSetAtIndex(MemorySegment segment, long index, MemorySegment value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, MemorySegment expected,
            MemorySegment value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, MemorySegment expected,
            MemorySegment value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract MemorySegment compareAndExchange(MemorySegment segment, long byteOffset, MemorySegment expected,
            MemorySegment value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract MemorySegment compareAndExchangeAtIndex(MemorySegment segment, long index, MemorySegment expected,
            MemorySegment value);
}
