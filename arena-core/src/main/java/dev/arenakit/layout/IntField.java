package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// Access to an `int` in each of the structs that stand one after the other in a segment, at the speed of a VarHandle in a
/// `static final` field, wherever this object is held.
///
/// All methods take the segment and the index of the struct in it, and throw [IndexOutOfBoundsException] when the struct is not
/// within the segment. Beyond `get` and `set` the field must be aligned to its size, which it is not in a packed struct:
/// the JDK throws an [UnsupportedOperationException] or an [IllegalArgumentException] there.
public abstract class IntField {
    IntField() {}

    /// {@return the field}
    public abstract Field field();

    /// {@return the value, read as any variable is}
    public abstract int get(MemorySegment segment, long index);

    /// Writes the value as any variable is written.
    public abstract void set(MemorySegment segment, long index, int value);

    /// {@return the value, read so that later accesses stay behind it}
    public abstract int getAcquire(MemorySegment segment, long index);

    /// Writes the value so that earlier accesses stay before it.
    public abstract void setRelease(MemorySegment segment, long index, int value);

    /// {@return the value, read as a `volatile` variable is}
    public abstract int getVolatile(MemorySegment segment, long index);

    /// Writes the value as a `volatile` variable is written.
    public abstract void setVolatile(MemorySegment segment, long index, int value);

    /// Writes a value if the expected one stands there, as one step.
    ///
    /// @return whether it did
    public abstract boolean compareAndSet(MemorySegment segment, long index, int expected, int value);

    /// Adds to the value, as one step.
    ///
    /// @return the value before
    public abstract int getAndAdd(MemorySegment segment, long index, int delta);

    @Override
    public final String toString() {
        return field().toString();
    }
}
