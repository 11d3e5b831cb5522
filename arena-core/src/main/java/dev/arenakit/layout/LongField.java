package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// Access to a `long` in each of the structs that stand one after the other in a segment, at the speed of a VarHandle in a
/// `static final` field, wherever this object is held.
///
/// All methods take the segment and the index of the struct in it, and throw [IndexOutOfBoundsException] when the struct is not
/// within the segment. All but `get` and `set` need a field that is aligned to its size; in a packed struct the JDK throws an
/// [UnsupportedOperationException] or an [IllegalArgumentException].
public abstract class LongField {
    LongField() {}

    /// {@return the field}
    public abstract Field field();

    /// {@return the value, read as any variable is}
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    public abstract long get(MemorySegment segment, long index);

    /// Writes the value as any variable is written.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    /// @param value   the value
    public abstract void set(MemorySegment segment, long index, long value);

    /// {@return the value, read so that later accesses stay behind it}
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    public abstract long getAcquire(MemorySegment segment, long index);

    /// Writes the value so that earlier accesses stay before it.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    /// @param value   the value
    public abstract void setRelease(MemorySegment segment, long index, long value);

    /// {@return the value, read as a `volatile` variable is}
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    public abstract long getVolatile(MemorySegment segment, long index);

    /// Writes the value as a `volatile` variable is written.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    /// @param value   the value
    public abstract void setVolatile(MemorySegment segment, long index, long value);

    /// Writes a value if the expected one stands there, as one step.
    ///
    /// @param segment  where the structs stand
    /// @param index    the number of structs before this one
    /// @param expected the value that is expected
    /// @param value    the value to write
    /// @return whether it did
    public abstract boolean compareAndSet(MemorySegment segment, long index, long expected, long value);

    /// Adds to the value, as one step.
    ///
    /// @param segment where the structs stand
    /// @param index   the number of structs before this one
    /// @param delta   what is added
    /// @return the value before
    public abstract long getAndAdd(MemorySegment segment, long index, long delta);

    @Override
    public final String toString() {
        return field().toString();
    }
}
