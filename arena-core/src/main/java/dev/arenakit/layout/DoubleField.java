package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to a `double` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final DoubleField PRICE = TRADES.doubleField("price");
///
/// double price = PRICE.getAtIndex(trades, 7);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class DoubleField extends Field {
    DoubleField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract double get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final double get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract double getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, double value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, double value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, double value);

    /// {@return the value, read in opaque mode}
    public abstract double getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract double getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, double value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, double value);

    /// {@return the value, read in acquire mode}
    public abstract double getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract double getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, double value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, double value);

    /// {@return the value, read in volatile mode}
    public abstract double getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract double getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, double value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, double value);

    /// Writes the value atomically, and returns the previous one.
    public abstract double getAndSet(MemorySegment segment, long byteOffset, double value);

    /// Writes the value atomically, and returns the previous one.
    public abstract double getAndSetAtIndex(MemorySegment segment, long index, double value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, double expected, double value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, double expected, double value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract double compareAndExchange(MemorySegment segment, long byteOffset, double expected, double value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract double compareAndExchangeAtIndex(MemorySegment segment, long index, double expected, double value);
}
