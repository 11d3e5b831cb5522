package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Text in an array of a fixed length, as in C: a NUL follows a text that is shorter than the array.
///
/// @param length        the length of the array in code units, at least 1
/// @param charset       UTF-8, US-ASCII, UTF-16BE or UTF-16LE
/// @param byteAlignment the alignment in bytes
public record StringType(long length, Charset charset, long byteAlignment) implements MemoryType {
    private static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII,
            StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);

    /// Creates a string type.
    ///
    /// @throws IllegalArgumentException if the length is less than 1 or too large, if the charset is none of the four,
    ///                                  or if the alignment is not a power of two
    public StringType {
        Sizes.checkAlignment(byteAlignment);
        if (!CHARSETS.contains(charset)) {
            throw new IllegalArgumentException("Charset has no fixed code units: charset=" + charset + "; use one of "
                    + CHARSETS);
        }
        if (length < 1 || length > Long.MAX_VALUE / unitByteSize(charset)) {
            throw new IllegalArgumentException("Length of text is out of range: length=" + length);
        }
    }

    /// Returns the type of text that is aligned to its code units, as in C.
    ///
    /// @param length  the length of the array in code units
    /// @param charset the charset
    /// @return the string type
    /// @throws IllegalArgumentException if the length is less than 1 or too large, or if the charset is none of the
    ///                                  four
    public static StringType of(long length, Charset charset) {
        return new StringType(length, charset, unitByteSize(charset));
    }

    /// Returns the size of a code unit.
    ///
    /// @return the size in bytes: 2 for UTF-16, otherwise 1
    public long unitByteSize() {
        return unitByteSize(charset);
    }

    @Override
    public long byteSize() {
        return length * unitByteSize();
    }

    @Override
    public StringType withByteAlignment(long byteAlignment) {
        return new StringType(length, charset, byteAlignment);
    }

    @Override
    public SequenceLayout layout() {
        ValueLayout unit = unitByteSize() == 1
                ? ValueLayout.JAVA_BYTE
                : ValueLayout.JAVA_CHAR.withOrder(order()).withByteAlignment(Math.min(2, byteAlignment));
        return MemoryLayout.sequenceLayout(length, unit).withByteAlignment(byteAlignment);
    }

    private ByteOrder order() {
        return charset.equals(StandardCharsets.UTF_16BE) ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    private static long unitByteSize(Charset charset) {
        return charset.equals(StandardCharsets.UTF_16BE) || charset.equals(StandardCharsets.UTF_16LE) ? 2 : 1;
    }
}
