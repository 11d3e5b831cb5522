package dev.arenakit.internal.layout.value;

import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;

/// Reads and writes the records of one class at an offset.
///
/// The mapper of a record class implements this interface, so that codecs of nested records need not know mappers.
public interface RecordCodec {
    /// Returns the type of the struct.
    StructType type();

    /// Returns the size of the struct in bytes.
    long byteSize();

    /// Reads the record at an offset.
    Object get(MemorySegment segment, long byteOffset);

    /// Writes a record at an offset.
    void set(MemorySegment segment, long byteOffset, Object record);

    /// Provides the codecs of nested records.
    interface Source {
        /// Returns the codec for a record class and the struct in memory.
        RecordCodec codec(Class<?> record, StructType type);
    }
}
