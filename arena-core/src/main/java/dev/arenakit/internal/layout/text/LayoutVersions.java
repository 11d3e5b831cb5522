package dev.arenakit.internal.layout.text;

import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.layout.type.ValueType;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The versions of the grammar, and the words for numbers in a version.
///
/// In version 1, `uint16_t` is a `char` of Java, and there are no other unsigned numbers. In version 2, `uint16_t` is
/// an unsigned integer, and a `char` has the annotation `@char`. Version 3 adds members of unions with several values
/// of the discriminator, and references.
final class LayoutVersions {
    static final int LATEST_VERSION = 3;
    /// The version that is printed if it suffices: earlier releases of this library read it.
    static final int USUAL_VERSION = 2;
    static final String FIRST_LINE = "#pragma layout ";

    private static final List<Class<?>> CARRIERS = List.of(boolean.class, byte.class, short.class, int.class,
            long.class, float.class, double.class);
    private static final ValueType CHAR = ValueType.of(char.class, ByteOrder.LITTLE_ENDIAN);

    private final Map<String, MemoryType> types = new HashMap<>();
    /// The expectation in the message about an unknown word.
    final String expected;

    LayoutVersions(int version) {
        CARRIERS.forEach(carrier -> {
            ValueType type = ValueType.of(carrier, ByteOrder.LITTLE_ENDIAN);
            types.put(type.cName(), type);
        });
        if (version == 1) {
            types.put(CHAR.cName(), CHAR);
        } else {
            for (int byteSize = 1; byteSize <= Long.BYTES; byteSize++) {
                UnsignedType type = UnsignedType.of(byteSize, ByteOrder.LITTLE_ENDIAN);
                types.put(type.cName(), type);
            }
        }
        expected = "a type: struct, union, enum, void, char, char16_t, char32_t, bool, int8_t, int16_t, "
                + (version == 1 ? "uint16_t, int32_t, int64_t" : "int32_t, int64_t, uint8_t, uint16_t to uint64_t")
                + ", float or double";
    }

    /// Returns the type that a word names, little-endian and aligned as in C.
    Optional<MemoryType> type(String word) {
        return Optional.ofNullable(types.get(word));
    }

    /// Returns the type that the annotation `@char` makes of a type, or empty if the annotation is not valid for the
    /// type.
    static Optional<MemoryType> asChar(MemoryType type) {
        return type instanceof UnsignedType && type.byteSize() == Character.BYTES
                ? Optional.of(CHAR)
                : Optional.empty();
    }
}
