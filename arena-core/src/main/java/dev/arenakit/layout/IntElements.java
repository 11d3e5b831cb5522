package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to the elements of an array of `int` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final IntElements COUNTS = HISTOGRAMS.intElements("counts");
///
/// int before = COUNTS.getAndAddAtIndex(histograms, 7, bucket, 1);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
///
/// The parameter `element` is the index in the array. It is checked.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class IntElements extends Field {
    IntElements(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract int get(MemorySegment segment, long byteOffset, long element);

    /// {@return the value, read in plain mode}
    public abstract int getAtIndex(MemorySegment segment, long index, long element);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, long element, int value);

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, long element, int value);

    /// {@return the value, read in opaque mode}
    public abstract int getOpaque(MemorySegment segment, long byteOffset, long element);

    /// {@return the value, read in opaque mode}
    public abstract int getOpaqueAtIndex(MemorySegment segment, long index, long element);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, long element, int value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, long element, int value);

    /// {@return the value, read in acquire mode}
    public abstract int getAcquire(MemorySegment segment, long byteOffset, long element);

    /// {@return the value, read in acquire mode}
    public abstract int getAcquireAtIndex(MemorySegment segment, long index, long element);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, long element, int value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, long element, int value);

    /// {@return the value, read in volatile mode}
    public abstract int getVolatile(MemorySegment segment, long byteOffset, long element);

    /// {@return the value, read in volatile mode}
    public abstract int getVolatileAtIndex(MemorySegment segment, long index, long element);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, long element, int value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, long element, int value);

    /// Writes the value atomically, and returns the previous one.
    public abstract int getAndSet(MemorySegment segment, long byteOffset, long element, int value);

    /// Writes the value atomically, and returns the previous one.
    public abstract int getAndSetAtIndex(MemorySegment segment, long index, long element, int value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, long element, int expected,
            int value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, long element, int expected,
            int value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract int compareAndExchange(MemorySegment segment, long byteOffset, long element, int expected,
            int value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract int compareAndExchangeAtIndex(MemorySegment segment, long index, long element, int expected,
            int value);

    /// Adds to the value atomically, and returns the previous one.
    public abstract int getAndAdd(MemorySegment segment, long byteOffset, long element, int delta);

    /// Adds to the value atomically, and returns the previous one.
    public abstract int getAndAddAtIndex(MemorySegment segment, long index, long element, int delta);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract int getAndBitwiseOr(MemorySegment segment, long byteOffset, long element, int mask);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract int getAndBitwiseOrAtIndex(MemorySegment segment, long index, long element, int mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract int getAndBitwiseAnd(MemorySegment segment, long byteOffset, long element, int mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract int getAndBitwiseAndAtIndex(MemorySegment segment, long index, long element, int mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract int getAndBitwiseXor(MemorySegment segment, long byteOffset, long element, int mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract int getAndBitwiseXorAtIndex(MemorySegment segment, long index, long element, int mask);
}
