package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Access to one `long` field of structs in memory, with the access modes of a [VarHandle].
///
/// ```java
/// LongField version = PRICES.longField("version");
/// version.setReleaseAtIndex(prices, 7, 42);
/// ```
///
/// [RecordMapper#longField] creates an instance for a field. Each operation has two forms, as in [MemorySegment]. The
/// form with the short name takes the offset of a struct in a segment, in bytes. The form whose name ends in `AtIndex`
/// takes the index of a struct in a segment of consecutive structs.
///
/// All operations check that the whole struct is within the segment and that its address is aligned as the layout
/// requires. They throw:
///
/// - [IndexOutOfBoundsException] if the struct is not within the segment;
/// - [IllegalArgumentException] if the struct is misaligned, or if the operation writes and the segment is read-only;
/// - [IllegalStateException] if the scope of the segment is closed;
/// - [WrongThreadException] if the current thread may not access the segment.
///
/// The plain operations, `get` and `set` in both forms, support every field. The other operations require a field that
/// is aligned to its size; in a packed struct they throw an [UnsupportedOperationException] or an
/// [IllegalArgumentException].
///
/// Instances are immutable and can be used by any thread. An access costs what a VarHandle in a `static final` field
/// costs, wherever the instance is held.
public abstract class LongField {
    LongField() {}

    /// {@return the field that this object accesses}
    public abstract Field field();

    /// Reads the value in plain mode.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return the value
    public abstract long get(MemorySegment segment, long byteOffset);

    /// Reads the value in plain mode.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return the value
    public abstract long getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param value      the value to write
    public abstract void set(MemorySegment segment, long byteOffset, long value);

    /// Writes the value in plain mode.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param value   the value to write
    public abstract void setAtIndex(MemorySegment segment, long index, long value);

    /// Reads the value in acquire mode: later accesses of this thread are not moved before it.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return the value
    public abstract long getAcquire(MemorySegment segment, long byteOffset);

    /// Reads the value in acquire mode: later accesses of this thread are not moved before it.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return the value
    public abstract long getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode: earlier accesses of this thread are not moved behind it.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param value      the value to write
    public abstract void setRelease(MemorySegment segment, long byteOffset, long value);

    /// Writes the value in release mode: earlier accesses of this thread are not moved behind it.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param value   the value to write
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, long value);

    /// Reads the value as a `volatile` variable is read.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @return the value
    public abstract long getVolatile(MemorySegment segment, long byteOffset);

    /// Reads the value as a `volatile` variable is read.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @return the value
    public abstract long getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value as a `volatile` variable is written.
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param value      the value to write
    public abstract void setVolatile(MemorySegment segment, long byteOffset, long value);

    /// Writes the value as a `volatile` variable is written.
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param value   the value to write
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, long value);

    /// Writes a value atomically if the current value is the expected one, as with [VarHandle#compareAndSet].
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param expected   the expected value
    /// @param value      the value to write
    /// @return whether the value was written
    public abstract boolean compareAndSet(MemorySegment segment, long byteOffset, long expected, long value);

    /// Writes a value atomically if the current value is the expected one, as with [VarHandle#compareAndSet].
    ///
    /// @param segment  the segment
    /// @param index    the index of the struct
    /// @param expected the expected value
    /// @param value    the value to write
    /// @return whether the value was written
    public abstract boolean compareAndSetAtIndex(MemorySegment segment, long index, long expected, long value);

    /// Adds a number to the value atomically, as with [VarHandle#getAndAdd].
    ///
    /// @param segment    the segment
    /// @param byteOffset the offset of the struct in bytes
    /// @param delta      the number to add
    /// @return the previous value
    public abstract long getAndAdd(MemorySegment segment, long byteOffset, long delta);

    /// Adds a number to the value atomically, as with [VarHandle#getAndAdd].
    ///
    /// @param segment the segment
    /// @param index   the index of the struct
    /// @param delta   the number to add
    /// @return the previous value
    public abstract long getAndAddAtIndex(MemorySegment segment, long index, long delta);

    @Override
    public final String toString() {
        return field().toString();
    }
}
