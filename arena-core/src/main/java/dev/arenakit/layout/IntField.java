package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to an `int` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final IntField QUANTITY = TRADES.intField("quantity");
///
/// int before = QUANTITY.getAndAddAtIndex(trades, 7, -1);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class IntField extends Field {
    IntField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract int get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final int get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract int getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, int value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, int value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, int value);

    /// {@return the value, read in opaque mode}
    public abstract int getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract int getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, int value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, int value);

    /// {@return the value, read in acquire mode}
    public abstract int getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract int getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, int value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, int value);

    /// {@return the value, read in volatile mode}
    public abstract int getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract int getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, int value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, int value);

    /// Writes the value atomically, and returns the previous one.
    public abstract int getAndSet(MemorySegment segment, long byteOffset, int value);

    /// Writes the value atomically, and returns the previous one.
    public abstract int getAndSetAtIndex(MemorySegment segment, long index, int value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, int expected, int value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, int expected, int value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract int compareAndExchange(MemorySegment segment, long byteOffset, int expected, int value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract int compareAndExchangeAtIndex(MemorySegment segment, long index, int expected, int value);

    /// Adds to the value atomically, and returns the previous one.
    public abstract int getAndAdd(MemorySegment segment, long byteOffset, int delta);

    /// Adds to the value atomically, and returns the previous one.
    public abstract int getAndAddAtIndex(MemorySegment segment, long index, int delta);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract int getAndBitwiseOr(MemorySegment segment, long byteOffset, int mask);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract int getAndBitwiseOrAtIndex(MemorySegment segment, long index, int mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract int getAndBitwiseAnd(MemorySegment segment, long byteOffset, int mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract int getAndBitwiseAndAtIndex(MemorySegment segment, long index, int mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract int getAndBitwiseXor(MemorySegment segment, long byteOffset, int mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract int getAndBitwiseXorAtIndex(MemorySegment segment, long index, int mask);
}
