package dev.arenakit.layout.type;

import dev.arenakit.internal.Sizes;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Text in an array of a fixed length.
///
/// The end of a text that is shorter than the array is marked in one of three ways: by a NUL, as in C; by spaces up to
/// the end of the array; or by a length before the array.
///
/// ```java
/// StringType.of(8, StandardCharsets.UTF_8)                                                  // 'A' 'B' 0 0 0 0 0 0
/// StringType.of(8, StandardCharsets.US_ASCII).withPadding(StringType.Padding.SPACE)         // "AB      "
/// StringType.of(8, StandardCharsets.UTF_8).withPrefix(2, ByteOrder.LITTLE_ENDIAN)           // 2 0 'A' 'B' 0 ...
/// ```
///
/// @param length         the length of the array in code units, at least 1, without the prefix
/// @param charset        UTF-8, UTF-16 or UTF-32 in a byte order, US-ASCII, or a charset of one byte for each character that
///                       encodes NUL and space as ASCII does, such as ISO-8859-1 or windows-1252
/// @param byteAlignment  the alignment in bytes
/// @param padding        what follows a text that is shorter than the array
/// @param prefixByteSize the size of the length before the array in bytes: 0 for none, or 1, 2 or 4; the length is
///                       unsigned and in code units
/// @param prefixOrder    the byte order of the length before the array; the native byte order if the length has less
///                       than 2 bytes
public record StringType(long length, Charset charset, long byteAlignment, Padding padding, int prefixByteSize,
        ByteOrder prefixOrder)
        implements
            MemoryType {
    private static final List<Charset> CHARSETS = List.of(StandardCharsets.UTF_8, StandardCharsets.US_ASCII,
            StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE, StandardCharsets.UTF_32BE, StandardCharsets.UTF_32LE,
            StandardCharsets.ISO_8859_1);
    private static final List<Integer> PREFIXES = List.of(0, Byte.BYTES, Short.BYTES, Integer.BYTES);

    /// What follows a text that is shorter than its array.
    public enum Padding {
        /// NULs. The text ends at the first NUL, or at the end of the array.
        NUL,
        /// Spaces. The text ends before the spaces at the end of the array.
        SPACE
    }

    /// Creates a string type.
    ///
    /// @throws IllegalArgumentException if the length is less than 1 or too large, if the charset is none of these
    ///                                  charsets, if the alignment is not a power of two, if the size of the prefix is
    ///                                  none of the four sizes, or if there is a prefix and the padding is
    ///                                  [Padding#SPACE]
    public StringType {
        Sizes.checkAlignment(byteAlignment);
        Objects.requireNonNull(padding, "padding");
        Objects.requireNonNull(prefixOrder, "prefixOrder");
        if (!CHARSETS.contains(charset) && !isSingleByte(charset)) {
            throw new IllegalArgumentException("Charset is not supported: charset=" + charset + "; use one of "
                    + CHARSETS + ", another charset of one byte for each character, or an array of bytes, which"
                    + " new String(bytes, charset) decodes");
        }
        if (length < 1 || length > (Long.MAX_VALUE - Integer.BYTES) / unitByteSize(charset)) {
            throw new IllegalArgumentException("Length of text is out of range: length=" + length);
        }
        if (!PREFIXES.contains(prefixByteSize)) {
            throw new IllegalArgumentException("Size of a length is out of range: prefixByteSize=" + prefixByteSize
                    + "; use 0, 1, 2 or 4");
        }
        if (prefixByteSize > 0 && padding == Padding.SPACE) {
            throw new IllegalArgumentException(
                    "Text has both a length and spaces: prefixByteSize=" + prefixByteSize + "; use one of them");
        }
        if (prefixByteSize < Short.BYTES) {
            prefixOrder = ByteOrder.nativeOrder();
        }
    }

    /// Creates the type of a text that ends at the first NUL.
    ///
    /// @param length        the length of the array in code units
    /// @param charset       the charset
    /// @param byteAlignment the alignment in bytes
    /// @throws IllegalArgumentException as by the other constructor
    public StringType(long length, Charset charset, long byteAlignment) {
        this(length, charset, byteAlignment, Padding.NUL, 0, ByteOrder.nativeOrder());
    }

    /// Returns the type of a text that ends at the first NUL, and is aligned to its code units, as in C.
    ///
    /// @param length  the length of the array in code units
    /// @param charset the charset
    /// @return the string type
    /// @throws IllegalArgumentException if the length is less than 1 or too large, or if the charset is none of the
    ///                                  charsets above
    public static StringType of(long length, Charset charset) {
        return new StringType(length, charset, unitByteSize(charset));
    }

    /// Returns this type with another padding.
    ///
    /// @param padding what follows a text that is shorter than the array
    /// @return the string type with the padding
    /// @throws IllegalArgumentException if this type has a prefix and the padding is [Padding#SPACE]
    public StringType withPadding(Padding padding) {
        return new StringType(length, charset, byteAlignment, padding, prefixByteSize, prefixOrder);
    }

    /// Returns this type with a length before the array. The alignment of the result is 1, since formats with such
    /// texts do not align them.
    ///
    /// @param byteSize the size of the length in bytes: 1, 2 or 4
    /// @param order    the byte order of the length
    /// @return the string type with the prefix
    /// @throws IllegalArgumentException if the size is not 1, 2 or 4, or if the padding is [Padding#SPACE]
    public StringType withPrefix(int byteSize, ByteOrder order) {
        return new StringType(length, charset, 1, padding, byteSize, order);
    }

    /// Returns the size of a code unit.
    ///
    /// @return the size in bytes: 2 for UTF-16, 4 for UTF-32, otherwise 1
    public long unitByteSize() {
        return unitByteSize(charset);
    }

    /// Returns how a code unit is stored.
    ///
    /// @return the storage of a code unit
    public StoredInteger unit() {
        return StoredInteger.ofBytes(unitByteSize(), order(), false);
    }

    /// Returns how the length before the array is stored.
    ///
    /// @return the storage of the length, or empty if there is none
    public Optional<StoredInteger> prefix() {
        return prefixByteSize == 0
                ? Optional.empty()
                : Optional.of(StoredInteger.ofBytes(prefixByteSize, prefixOrder, false));
    }

    /// Returns the code units of a text, without the length before them, and without the padding after them.
    ///
    /// @param bytes the bytes of the text, including the length before the array; fewer than its size if the text is
    ///              cut off
    /// @return the slice of the bytes with the code units
    public MemorySegment codeUnits(MemorySegment bytes) {
        StoredInteger unit = unit();
        long length = (bytes.byteSize() - prefixByteSize) / unit.byteSize();
        if (prefixByteSize > 0) {
            length = Math.min(length, prefix().orElseThrow().get(bytes, 0));
        } else if (padding == Padding.SPACE) {
            while (length > 0 && unit.get(bytes, (length - 1) * unit.byteSize()) == ' ') {
                length--;
            }
        } else {
            long end = 0;
            while (end < length && unit.get(bytes, end * unit.byteSize()) != 0) {
                end++;
            }
            length = end;
        }
        return bytes.asSlice(prefixByteSize, length * unit.byteSize());
    }

    @Override
    public long naturalAlignment() {
        return prefixByteSize > 0 ? 1 : unitByteSize();
    }

    /// Returns the size of the array, including the length before it.
    ///
    /// @return the size in bytes
    @Override
    public long byteSize() {
        return prefixByteSize + length * unitByteSize();
    }

    @Override
    public StringType withByteAlignment(long byteAlignment) {
        return new StringType(length, charset, byteAlignment, padding, prefixByteSize, prefixOrder);
    }

    /// Returns a sequence of code units, or of bytes if there is a length before the array.
    @Override
    public SequenceLayout layout() {
        long unit = unitByteSize();
        ValueLayout wide = unit == Character.BYTES ? ValueLayout.JAVA_CHAR : ValueLayout.JAVA_INT;
        SequenceLayout units = prefixByteSize > 0 || unit == 1
                ? MemoryLayout.sequenceLayout(byteSize(), ValueLayout.JAVA_BYTE)
                : MemoryLayout.sequenceLayout(length,
                        wide.withOrder(order()).withByteAlignment(Math.min(unit, byteAlignment)));
        return units.withByteAlignment(byteAlignment);
    }

    /// Returns this type with another byte order. It applies to the length before the array and to code units of
    /// several bytes.
    @Override
    public StringType withOrder(ByteOrder order) {
        Charset ordered = unitByteSize() == 1
                ? charset
                : wide(unitByteSize(), order);
        return new StringType(length, ordered, byteAlignment, padding, prefixByteSize, order);
    }

    /// Returns the byte order of the code units.
    ///
    /// @return the byte order; little-endian if a code unit has one byte
    public ByteOrder order() {
        return charset.equals(StandardCharsets.UTF_16BE) || charset.equals(StandardCharsets.UTF_32BE)
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN;
    }

    private static Charset wide(long unitByteSize, ByteOrder order) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        return unitByteSize == Character.BYTES
                ? big ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_16LE
                : big ? StandardCharsets.UTF_32BE : StandardCharsets.UTF_32LE;
    }

    private static boolean isSingleByte(Charset charset) {
        return charset.canEncode() && charset.newEncoder().maxBytesPerChar() == 1
                && Arrays.equals(" \0".getBytes(charset), " \0".getBytes(StandardCharsets.US_ASCII));
    }

    private static long unitByteSize(Charset charset) {
        if (charset.equals(StandardCharsets.UTF_16BE) || charset.equals(StandardCharsets.UTF_16LE)) {
            return Character.BYTES;
        }
        return charset.equals(StandardCharsets.UTF_32BE) || charset.equals(StandardCharsets.UTF_32LE)
                ? Integer.BYTES
                : 1;
    }
}
