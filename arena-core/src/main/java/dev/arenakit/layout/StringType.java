package dev.arenakit.layout;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Text of a fixed length, as an array of C holds it: followed by a NUL where it is shorter than the array.
///
/// @param length        the number of code units in the array, at least 1
/// @param charset       UTF-8, US-ASCII, UTF-16BE or UTF-16LE
/// @param byteAlignment the alignment in bytes
public record StringType(long length, Charset charset, long byteAlignment) implements MemoryType {
    private static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII,
            StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE);

    /// Checks that the parts go together.
    ///
    /// @throws IllegalArgumentException when the length is less than 1, the charset another, or the alignment no power of
    ///                                  two
    public StringType {
        Types.checkAlignment(byteAlignment);
        if (!CHARSETS.contains(charset)) {
            throw new IllegalArgumentException("Charset has no fixed code units: charset=" + charset + "; use one of "
                    + CHARSETS);
        }
        Types.checkLength(length, unitByteSize(charset));
    }

    /// Text aligned to its code units as in C.
    ///
    /// @param length the number of code units
    /// @param charset the encoding
    /// @return the text type
    public static StringType of(long length, Charset charset) {
        return new StringType(length, charset, unitByteSize(charset));
    }

    /// The size of one code unit in bytes: 1, or 2 for UTF-16.
    ///
    /// @return the size of a unit
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
