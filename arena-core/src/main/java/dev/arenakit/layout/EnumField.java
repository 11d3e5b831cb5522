package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import dev.arenakit.layout.annotation.Otherwise;
import java.lang.foreign.MemorySegment;

/// Access to a constant of an enum in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final EnumField<Side> SIDE = TRADES.enumField("side", Side.class);
///
/// Side side = SIDE.getAtIndex(trades, 7);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
///
/// A number in memory that belongs to no constant is read as the constant with [Otherwise]. If the enum has none, the
/// operation throws an [IllegalArgumentException]: `getAndSet` has written the new value by then, while
/// `compareAndExchange` has changed nothing. The constant with [Otherwise] cannot be written. The atomic operations
/// require an enum of 4 or 8 bytes.
///
/// @param <E> the enum
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class EnumField<E extends Enum<E>> extends Field {
    EnumField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract E get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final E get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract E getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, E value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, E value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, E value);

    /// {@return the value, read in opaque mode}
    public abstract E getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract E getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, E value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, E value);

    /// {@return the value, read in acquire mode}
    public abstract E getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract E getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, E value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, E value);

    /// {@return the value, read in volatile mode}
    public abstract E getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract E getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, E value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, E value);

    /// Writes the value atomically, and returns the previous one.
    public abstract E getAndSet(MemorySegment segment, long byteOffset, E value);

    /// Writes the value atomically, and returns the previous one.
    public abstract E getAndSetAtIndex(MemorySegment segment, long index, E value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, E expected, E value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, E expected, E value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract E compareAndExchange(MemorySegment segment, long byteOffset, E expected, E value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract E compareAndExchangeAtIndex(MemorySegment segment, long index, E expected, E value);
}
