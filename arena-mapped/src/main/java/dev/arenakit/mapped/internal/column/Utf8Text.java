package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Copies texts of one type as UTF-8, without what pads them.
public final class Utf8Text {
    /*
     * The length is found first, so that the caller can reserve memory. A text is checked in the copy: another thread
     * may change the struct at any time, and readers rely on UTF-8.
     */
    /// The largest number of code units, and of bytes in UTF-8. Structs have no larger texts in practice.
    private static final int LARGEST = 1 << 24;
    /// The largest number of bytes that are reserved before the length of a text is known.
    private static final int MOST_WORD_BYTES = 1 << 10;
    private static final int SHOWN = 16;
    private static final int LARGEST_CHARACTER = 3;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final StringType type;
    private final @Nullable StoredInteger prefix;
    private final boolean endsAtNul;
    private final boolean isUtf16;
    /// Whether the charset is neither UTF-8 nor ASCII nor UTF-16: such a text is decoded and encoded by the JDK.
    private final boolean isOther;
    private final boolean isSwapped;
    private final boolean hasWords;

    public Utf8Text(StringType type) {
        this.type = type;
        prefix = type.prefixByteSize() == 0
                ? null
                : StoredInteger.ofBytes(type.prefixByteSize(), type.prefixOrder(), false);
        endsAtNul = prefix == null && type.padding() == StringType.Padding.NUL;
        isUtf16 = type.unitByteSize() == Character.BYTES;
        isOther = !isUtf16 && !type.charset().equals(StandardCharsets.UTF_8)
                && !type.charset().equals(StandardCharsets.US_ASCII);
        boolean isBigEndian = type.order() == ByteOrder.BIG_ENDIAN;
        hasWords = endsAtNul && !isUtf16 && !isOther && type.length() % Long.BYTES == 0
                && type.length() <= MOST_WORD_BYTES;
        isSwapped = isBigEndian == (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
    }

    /// Whether texts have code units of one byte, and a NUL ends a text that is shorter than its field.
    public boolean endsAtNul() {
        return endsAtNul && !isUtf16;
    }

    /// Returns the bits of a little-endian word below the first NUL, or all bits if there is no NUL.
    public static long bitsBeforeNul(long word) {
        // The lowest set bit belongs to the first NUL.
        long nuls = (word - LOW_BITS) & ~word & HIGH_BITS;
        return nuls == 0 ? -1 : ((nuls & -nuls) >>> 7) - 1;
    }

    public static boolean isAscii(long word) {
        return (word & HIGH_BITS) == 0;
    }

    /// Copies a text.
    ///
    /// @return the number of bytes in UTF-8
    /// @throws ConversionFailure if the text is malformed or too long
    public int copy(MemorySegment segment, long from, GrowingSegment target, long to) {
        int ascii = hasWords ? copyWords(segment, from, target.atLeast(to + type.length()), to) : -1;
        if (ascii >= 0) {
            return ascii;
        }
        int length = length(segment, from);
        if (isOther) {
            return copyOther(segment, from, length, target, to);
        }
        return copy(segment, from, length, target.atLeast(to + (isUtf16 ? (long) LARGEST_CHARACTER * length : length)),
                to);
    }

    /// Copies a text of whole words, 8 bytes at once.
    ///
    /// @return the number of bytes, or -1 if the text is not ASCII
    private int copyWords(MemorySegment segment, long from, MemorySegment target, long to) {
        for (long i = 0; i < type.length(); i += Long.BYTES) {
            long word = segment.get(WORD, from + i);
            long before = bitsBeforeNul(word);
            if (!isAscii(word & before)) {
                return -1;
            }
            target.set(WORD, to + i, word & before);
            if (before != -1) {
                return (int) i + (Long.bitCount(before) >>> 3);
            }
        }
        return (int) type.length();
    }

    /// Returns the number of code units of a text, with the spaces that pad it.
    private int length(MemorySegment segment, long from) {
        long most = prefix == null ? type.length() : Math.min(type.length(), prefix.get(segment, from));
        long length = !endsAtNul
                ? most
                : isUtf16
                        ? charsBeforeNul(segment, from, most)
                        : type.unitByteSize() == 1
                                ? bytesBeforeNul(segment, from, most)
                                : intsBeforeNul(segment, from, most);
        if (length > LARGEST) {
            throw tooLong(from);
        }
        return (int) length;
    }

    private static ConversionFailure tooLong(long from) {
        return new ConversionFailure("text is too long: limit=" + LARGEST, from);
    }

    private static long bytesBeforeNul(MemorySegment segment, long from, long most) {
        long i = 0;
        for (; i + Long.BYTES <= most; i += Long.BYTES) {
            long word = segment.get(WORD, from + i);
            long before = bitsBeforeNul(word);
            if (before != -1) {
                return i + (Long.bitCount(before) >>> 3);
            }
        }
        while (i < most && segment.get(JAVA_BYTE, from + i) != 0) {
            i++;
        }
        return i;
    }

    private static long charsBeforeNul(MemorySegment segment, long from, long most) {
        long i = 0;
        while (i < most && segment.get(JAVA_CHAR_UNALIGNED, from + i * Character.BYTES) != 0) {
            i++;
        }
        return i;
    }

    private static long intsBeforeNul(MemorySegment segment, long from, long most) {
        long i = 0;
        while (i < most && segment.get(JAVA_INT_UNALIGNED, from + i * Integer.BYTES) != 0) {
            i++;
        }
        return i;
    }

    private int copyOther(MemorySegment segment, long from, int length, GrowingSegment target, long to) {
        long unit = type.unitByteSize();
        if (length > LARGEST / unit) {
            throw tooLong(from);
        }
        MemorySegment stored = segment.asSlice(from + type.prefixByteSize(), length * unit);
        String text;
        try {
            text = type.charset().newDecoder().decode(ByteBuffer.wrap(stored.toArray(JAVA_BYTE))).toString();
        } catch (CharacterCodingException e) {
            throw malformed(from, stored, 0, (int) stored.byteSize());
        }
        int end = text.length();
        while (type.padding() == StringType.Padding.SPACE && end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        byte[] encoded = text.substring(0, end).getBytes(StandardCharsets.UTF_8);
        if (encoded.length > LARGEST) {
            throw tooLong(from);
        }
        MemorySegment.copy(encoded, 0, target.atLeast(to + encoded.length), JAVA_BYTE, to, encoded.length);
        return encoded.length;
    }

    private int copy(MemorySegment segment, long from, int length, MemorySegment target, long to) {
        long text = from + type.prefixByteSize();
        int byteSize = length;
        if (isUtf16) {
            byteSize = copyChars(segment, from, text, length, target, to);
        } else {
            MemorySegment.copy(segment, text, target, to, length);
            if (!isAscii(target, to, length)
                    && (type.charset().equals(StandardCharsets.US_ASCII) || !isUtf8(target, to, length))) {
                throw malformed(from, target, to, length);
            }
        }
        if (byteSize > LARGEST) {
            throw tooLong(from);
        }
        if (type.padding() == StringType.Padding.SPACE) {
            while (byteSize > 0 && target.get(JAVA_BYTE, to + byteSize - 1) == ' ') {
                byteSize--;
            }
        }
        return byteSize;
    }

    private ConversionFailure malformed(long from, MemorySegment target, long to, int copied) {
        int shown = Math.min(copied, SHOWN);
        return new ConversionFailure("not a text in " + type.charset() + ": bytes="
                + HexFormat.of().formatHex(target.asSlice(to, shown).toArray(JAVA_BYTE))
                + (shown < copied ? "..." : ""), from);
    }

    private int copyChars(MemorySegment segment, long from, long text, int length, MemorySegment target, long to) {
        int end = 0;
        for (int i = 0; i < length; i++) {
            char unit = unit(segment, text, i);
            int character = unit;
            if (Character.isHighSurrogate(unit) && i + 1 < length) {
                char next = unit(segment, text, i + 1);
                if (Character.isLowSurrogate(next)) {
                    i++;
                    character = Character.toCodePoint(unit, next);
                }
            }
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                throw malformed(from, target, to, end);
            }
            end += put(target, to + end, character);
        }
        return end;
    }

    private char unit(MemorySegment segment, long text, int index) {
        char unit = segment.get(JAVA_CHAR_UNALIGNED, text + (long) Character.BYTES * index);
        return isSwapped ? Character.reverseBytes(unit) : unit;
    }

    private static int put(MemorySegment target, long at, int character) {
        if (character < 0x80) {
            target.set(JAVA_BYTE, at, (byte) character);
            return 1;
        }
        if (character < 0x800) {
            target.set(JAVA_BYTE, at, (byte) (0xc0 | (character >> 6)));
            target.set(JAVA_BYTE, at + 1, more(character, 0));
            return 2;
        }
        if (character < 0x10000) {
            target.set(JAVA_BYTE, at, (byte) (0xe0 | (character >> 12)));
            target.set(JAVA_BYTE, at + 1, more(character, 6));
            target.set(JAVA_BYTE, at + 2, more(character, 0));
            return 3;
        }
        target.set(JAVA_BYTE, at, (byte) (0xf0 | (character >> 18)));
        target.set(JAVA_BYTE, at + 1, more(character, 12));
        target.set(JAVA_BYTE, at + 2, more(character, 6));
        target.set(JAVA_BYTE, at + 3, more(character, 0));
        return 4;
    }

    /// Returns a byte of a character after its first byte.
    private static byte more(int character, int shift) {
        return (byte) (0x80 | ((character >> shift) & 0x3f));
    }

    private static boolean isAscii(MemorySegment target, long to, int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if (!isAscii(target.get(JAVA_LONG_UNALIGNED, to + i))) {
                return false;
            }
        }
        int high = 0;
        for (; i < length; i++) {
            high |= target.get(JAVA_BYTE, to + i);
        }
        return high >= 0;
    }

    /// Whether bytes are UTF-8, without surrogates and overlong forms.
    private static boolean isUtf8(MemorySegment target, long to, int length) {
        for (int i = 0; i < length;) {
            int first = unsigned(target, to + i++);
            if (first < 0x80) {
                continue;
            }
            int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
            if (first < 0xc2 || first > 0xf4 || i + more > length) {
                return false;
            }
            int second = unsigned(target, to + i);
            int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (second < least || second > most) {
                return false;
            }
            for (int last = i + more; i < last; i++) {
                if ((unsigned(target, to + i) & 0xc0) != 0x80) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int unsigned(MemorySegment target, long at) {
        return target.get(JAVA_BYTE, at) & 0xff;
    }
}
