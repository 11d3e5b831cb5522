package dev.arenakit.mapped.internal.column;

import dev.arenakit.layout.type.StringType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Copies texts of one type as UTF-8, without what pads them. Not thread-safe.
public final class Utf8Text {
    /* A text is checked in the copy: another thread may change the struct at any time, and readers rely on UTF-8. */

    /// The largest number of code units, and of bytes in UTF-8. Structs have no larger texts in practice.
    private static final int LARGEST = 1 << 24;
    /// The largest number of bytes that are reserved before the length of a text is known.
    private static final int MOST_WORD_BYTES = 1 << 16;
    private static final int SHOWN = 16;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = 0x0101010101010101L;
    private static final ValueLayout.OfLong WORD = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final StringType type;
    private final boolean isAscii;
    /// Whether the charset is UTF-8 or ASCII. A text in another charset is decoded and encoded by the JDK.
    private final boolean isUtf8;
    private final boolean endsAtNul;
    private final CharsetDecoder decoder;

    public Utf8Text(StringType type) {
        this.type = type;
        isAscii = type.charset().equals(StandardCharsets.US_ASCII);
        isUtf8 = isAscii || type.charset().equals(StandardCharsets.UTF_8);
        endsAtNul = type.prefixByteSize() == 0 && type.padding() == StringType.Padding.NUL && type.unitByteSize() == 1;
        decoder = type.charset().newDecoder();
    }

    /// Whether texts have code units of one byte, and a NUL ends a text that is shorter than its field.
    public boolean endsAtNul() {
        return endsAtNul;
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
        if (endsAtNul && isUtf8 && type.length() <= MOST_WORD_BYTES) {
            return copyWords(segment, from, target.atLeast(to + type.length() + Long.BYTES), to);
        }
        MemorySegment text = type.codeUnits(segment.asSlice(from, type.byteSize()));
        if (text.byteSize() > (long) LARGEST * type.unitByteSize()) {
            throw tooLong(from);
        }
        if (!isUtf8) {
            text = decoded(text, from);
        }
        int byteSize = (int) text.byteSize();
        MemorySegment copy = target.atLeast(to + byteSize);
        MemorySegment.copy(text, 0, copy, to, byteSize);
        if (isUtf8 && !isAscii(copy, to, byteSize)) {
            check(copy.asSlice(to, byteSize), from);
        }
        return byteSize;
    }

    /// Copies a text up to its NUL, 8 bytes at once.
    private int copyWords(MemorySegment segment, long from, MemorySegment target, long to) {
        int length = (int) type.length();
        long high = 0;
        int end = 0;
        while (end < length) {
            long word = end + Long.BYTES <= length
                    ? segment.get(WORD, from + end)
                    : lastWord(segment, from + end, length - end);
            long before = bitsBeforeNul(word);
            high |= word & before;
            target.set(WORD, to + end, word & before);
            end += Long.bitCount(before) >>> 3;
            if (before != -1) {
                break;
            }
        }
        if (!isAscii(high)) {
            check(target.asSlice(to, end), from);
        }
        return end;
    }

    /// Returns less than 8 bytes, and then a NUL.
    private static long lastWord(MemorySegment segment, long from, int byteSize) {
        long word = 0;
        for (int i = 0; i < byteSize; i++) {
            word |= (segment.get(JAVA_BYTE, from + i) & 0xffL) << (Byte.SIZE * i);
        }
        return word;
    }

    private static ConversionFailure tooLong(long from) {
        return new ConversionFailure("text is too long: limit=" + LARGEST, from);
    }

    private MemorySegment decoded(MemorySegment stored, long from) {
        byte[] encoded;
        try {
            encoded = decoder.decode(ByteBuffer.wrap(stored.toArray(JAVA_BYTE)))
                    .toString()
                    .getBytes(StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw malformed(stored, from);
        }
        if (encoded.length > LARGEST) {
            throw tooLong(from);
        }
        return MemorySegment.ofArray(encoded);
    }

    /// Checks a text that is not ASCII.
    private void check(MemorySegment text, long from) {
        if (isAscii || !isUtf8(text)) {
            throw malformed(text, from);
        }
    }

    private ConversionFailure malformed(MemorySegment text, long from) {
        long shown = Math.min(text.byteSize(), SHOWN);
        return new ConversionFailure("not a text in " + type.charset() + ": bytes="
                + HexFormat.of().formatHex(text.asSlice(0, shown).toArray(JAVA_BYTE))
                + (shown < text.byteSize() ? "..." : ""), from);
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
    private static boolean isUtf8(MemorySegment text) {
        long length = text.byteSize();
        for (long i = 0; i < length;) {
            int first = unsigned(text, i++);
            if (first < 0x80) {
                continue;
            }
            int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
            if (first < 0xc2 || first > 0xf4 || i + more > length) {
                return false;
            }
            int second = unsigned(text, i);
            int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (second < least || second > most) {
                return false;
            }
            for (long last = i + more; i < last; i++) {
                if ((unsigned(text, i) & 0xc0) != 0x80) {
                    return false;
                }
            }
        }
        return true;
    }

    private static int unsigned(MemorySegment text, long at) {
        return text.get(JAVA_BYTE, at) & 0xff;
    }
}
