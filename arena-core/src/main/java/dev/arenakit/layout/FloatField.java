package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to a `float` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final FloatField WEIGHT = EDGES.floatField("weight");
///
/// float weight = WEIGHT.getAtIndex(edges, 7);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class FloatField extends Field {
    FloatField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract float get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final float get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract float getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, float value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, float value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, float value);

    /// {@return the value, read in opaque mode}
    public abstract float getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract float getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, float value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, float value);

    /// {@return the value, read in acquire mode}
    public abstract float getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract float getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, float value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, float value);

    /// {@return the value, read in volatile mode}
    public abstract float getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract float getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, float value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, float value);

    /// Writes the value atomically, and returns the previous one.
    public abstract float getAndSet(MemorySegment segment, long byteOffset, float value);

    /// Writes the value atomically, and returns the previous one.
    public abstract float getAndSetAtIndex(MemorySegment segment, long index, float value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, float expected, float value);

    /// Writes the value atomically if the previous one is `expected`, and returns whether it is.
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, float expected, float value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract float compareAndExchange(MemorySegment segment, long byteOffset, float expected, float value);

    /// Writes the value atomically if the previous one is `expected`, and returns the previous one.
    public abstract float compareAndExchangeAtIndex(MemorySegment segment, long index, float expected, float value);
}
