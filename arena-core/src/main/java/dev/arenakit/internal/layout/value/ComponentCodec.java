package dev.arenakit.internal.layout.value;

import java.lang.foreign.MemorySegment;

/// Reads and writes a component that is more than one value of a VarHandle: text, an array, a large record.
///
/// Codecs are records, and they are held in `static final` fields, so that the compiler treats their fields as
/// constants.
public sealed interface ComponentCodec
        permits FixedTextCodec, ArrayCodec, ArrayCodec.Address, CountedArrayCodec, RecordCodec.Nested {

    /// Reads the component.
    ///
    /// @param base the offset of the struct
    /// @throws IllegalArgumentException if the bytes in memory have no meaning for the component
    Object read(MemorySegment segment, long base);

    /// Checks a value, and converts it for [#write]. Memory may be read, and is not changed.
    ///
    /// @param base the offset of the struct
    /// @return the argument for [#write]
    /// @throws IllegalArgumentException if the value does not fit
    Object prepare(MemorySegment segment, long base, Object value);

    /// Writes a value that [#prepare] returned for the same struct. This method only copies: it does not allocate, and
    /// it does not execute code of the user.
    void write(MemorySegment segment, long base, Object prepared);
}
