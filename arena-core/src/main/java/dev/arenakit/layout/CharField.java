package dev.arenakit.layout;

import dev.arenakit.internal.layout.field.FieldPath;
import java.lang.foreign.MemorySegment;

/// Access to a `char` in structs, with the access modes of a VarHandle.
///
/// ```java
/// static final CharField GRADE = RESULTS.charField("grade");
///
/// char grade = GRADE.getAtIndex(results, 7);
/// ```
///
/// [Field] describes the operations, their parameters and their exceptions.
@SuppressWarnings("doclint:missing") // Field describes the parameters.
public abstract class CharField extends Field {
    CharField(FieldPath place) {
        super(place);
    }

    /// {@return the value, read in plain mode}
    public abstract char get(MemorySegment segment, long byteOffset);

    /// {@return the value in the struct at the beginning of the segment, read in plain mode}
    public final char get(MemorySegment segment) {
        return get(segment, 0);
    }

    /// {@return the value, read in plain mode}
    public abstract char getAtIndex(MemorySegment segment, long index);

    /// Writes the value in plain mode.
    public abstract void set(MemorySegment segment, long byteOffset, char value);

    /// Writes the value of the struct at the beginning of the segment in plain mode.
    public final void set(MemorySegment segment, char value) {
        set(segment, 0, value);
    }

    /// Writes the value in plain mode.
    public abstract void setAtIndex(MemorySegment segment, long index, char value);

    /// {@return the value, read in opaque mode}
    public abstract char getOpaque(MemorySegment segment, long byteOffset);

    /// {@return the value, read in opaque mode}
    public abstract char getOpaqueAtIndex(MemorySegment segment, long index);

    /// Writes the value in opaque mode.
    public abstract void setOpaque(MemorySegment segment, long byteOffset, char value);

    /// Writes the value in opaque mode.
    public abstract void setOpaqueAtIndex(MemorySegment segment, long index, char value);

    /// {@return the value, read in acquire mode}
    public abstract char getAcquire(MemorySegment segment, long byteOffset);

    /// {@return the value, read in acquire mode}
    public abstract char getAcquireAtIndex(MemorySegment segment, long index);

    /// Writes the value in release mode.
    public abstract void setRelease(MemorySegment segment, long byteOffset, char value);

    /// Writes the value in release mode.
    public abstract void setReleaseAtIndex(MemorySegment segment, long index, char value);

    /// {@return the value, read in volatile mode}
    public abstract char getVolatile(MemorySegment segment, long byteOffset);

    /// {@return the value, read in volatile mode}
    public abstract char getVolatileAtIndex(MemorySegment segment, long index);

    /// Writes the value in volatile mode.
    public abstract void setVolatile(MemorySegment segment, long byteOffset, char value);

    /// Writes the value in volatile mode.
    public abstract void setVolatileAtIndex(MemorySegment segment, long index, char value);
}
