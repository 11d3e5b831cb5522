package dev.arenakit.internal.layout.value;

/// Converts between a number in memory and the object that it represents.
///
/// Codecs are records, and they are held in `static final` fields, so that the compiler treats their fields as
/// constants.
public sealed interface NumberCodec permits EnumCodec, RefCodec {
    /// Returns the object for a number in memory.
    ///
    /// @throws IllegalArgumentException if the number represents none
    Object decode(long stored);

    /// Returns the number in memory for an object.
    ///
    /// @throws IllegalArgumentException if the object has none
    long encode(Object value);
}
