package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.layout.type.RefType;
import dev.arenakit.layout.type.StructType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

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

        /// Returns the codec of a component that is a reference.
        ///
        /// @throws IllegalArgumentException if component and type do not agree
        RefCodec reference(ComponentDeclaration component, RefType type);

        /// Begins the mapper of a class. References to the class refer to its struct.
        ///
        /// @param given the struct if it was given
        /// @param type  the struct
        void begin(Class<?> root, Optional<StructType> given, StructType type);
    }

    /// A nested record with too many components for the generated code of the outer record.
    ///
    /// The outer record is large, and it is written to an array first. If some bytes must not change, the array contains
    /// them.
    ///
    /// @param record the codec of the record, which requires no alignment
    /// @param offset the offset of the nested struct
    /// @param where  class and component, for messages
    record Nested(RecordCodec record, long offset, String where) implements ComponentCodec {
        @Override
        public Object read(MemorySegment segment, long base) {
            return record.get(segment, base + offset);
        }

        @Override
        public MemorySegment prepare(MemorySegment segment, long base, Object value) {
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) record.byteSize()]);
            MemorySegment.copy(segment, base + offset, copy, 0, copy.byteSize());
            record.set(copy, 0, ValueChecks.required(value, where));
            return copy;
        }

        @Override
        public void write(MemorySegment segment, long base, Object prepared) {
            MemorySegment copy = (MemorySegment) prepared;
            MemorySegment.copy(copy, 0, segment, base + offset, copy.byteSize());
        }
    }
}
