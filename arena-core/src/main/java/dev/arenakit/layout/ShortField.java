package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to a `short` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final ShortField PORT = ENDPOINTS.shortField("port");
///
/// short port = PORT.getAtIndex(endpoints, 7);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class ShortField extends Field {
    ShortField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract short get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final short get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract short getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, short value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, short value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, short value);

    /// {@return the value, read in opaque mode}
    public abstract short getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract short getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, short value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, short value);

    /// {@return the value, read in acquire mode}
    public abstract short getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract short getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, short value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, short value);

    /// {@return the value, read in volatile mode}
    public abstract short getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract short getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, short value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, short value);
}
