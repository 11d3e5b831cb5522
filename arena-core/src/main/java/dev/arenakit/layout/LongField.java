package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to a `long` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final LongField VERSION = PRICES.longField("version");
///
/// VERSION.setReleaseAtIndex(prices, 7, 42);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class LongField extends Field {
    LongField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract long get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final long get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract long getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, long value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, long value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, long value);

    /// {@return the value, read in opaque mode}
    public abstract long getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract long getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, long value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, long value);

    /// {@return the value, read in acquire mode}
    public abstract long getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract long getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, long value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, long value);

    /// {@return the value, read in volatile mode}
    public abstract long getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract long getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, long value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, long value);

    /// Writes the value atomically, and returns the previous one.
    public abstract long getAndSet(MemorySegment segment, long byteOffset, long value);

    /// Writes the value atomically, and returns the previous one.
    public abstract long getAndSetAtIndex(MemorySegment segment, long index, long value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, long expected, long value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, long expected, long value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract long compareAndExchange(MemorySegment segment, long byteOffset, long expected, long value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract long compareAndExchangeAtIndex(MemorySegment segment, long index, long expected, long value);

    /// Adds to the value atomically, and returns the previous one.
    public abstract long getAndAdd(MemorySegment segment, long byteOffset, long delta);

    /// Adds to the value atomically, and returns the previous one.
    public abstract long getAndAddAtIndex(MemorySegment segment, long index, long delta);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract long getAndBitwiseOr(MemorySegment segment, long byteOffset, long mask);

    /// Combines the value with a mask by `|` atomically, and returns the previous value.
    public abstract long getAndBitwiseOrAtIndex(MemorySegment segment, long index, long mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract long getAndBitwiseAnd(MemorySegment segment, long byteOffset, long mask);

    /// Combines the value with a mask by `&` atomically, and returns the previous value.
    public abstract long getAndBitwiseAndAtIndex(MemorySegment segment, long index, long mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract long getAndBitwiseXor(MemorySegment segment, long byteOffset, long mask);

    /// Combines the value with a mask by `^` atomically, and returns the previous value.
    public abstract long getAndBitwiseXorAtIndex(MemorySegment segment, long index, long mask);
}
