package dev.arenakit.layout;

import java.lang.foreign.MemorySegment;

/// Reads and writes a component that is more than one value of a VarHandle: text, an array, a large record.
///
/// Codecs are records, and constants of the class that uses them: their fields are constants for the compiler, too.
sealed interface ComponentCodec permits TextCodec, PrimitiveArrayCodec, EnumArrayCodec, AddressArrayCodec, RecordCodec,
        RecordArrayCodec {

    /// Reads the component of the struct that begins at an offset.
    ///
    /// @throws IllegalArgumentException when what stands there is no value of the component
    Object read(MemorySegment segment, long base);

    /// Checks a value.
    ///
    /// @return what [#write] takes
    /// @throws IllegalArgumentException when the value does not fit
    Object prepare(Object value);

    /// Writes what was checked before.
    void write(MemorySegment segment, long base, Object prepared);
}
