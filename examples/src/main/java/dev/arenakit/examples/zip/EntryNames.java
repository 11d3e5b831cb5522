package dev.arenakit.examples.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The names of entries as bytes of UTF-8, and their comparison with text.
final class EntryNames {
    private static final int NO_MATCH = -1;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryNames() {}

    /// Returns a text in UTF-8, or null if the bytes are not UTF-8.
    static @Nullable String utf8(MemorySegment bytes, long offset, int length) {
        byte[] copy = bytes.asSlice(offset, length).toArray(JAVA_BYTE);
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(copy)).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    /// Compares text with the beginning of a valid name.
    ///
    /// @return the number of bytes of the name that the text equals, or -1
    static int match(String text, MemorySegment bytes, long offset, int length) {
        int count = text.length();
        if (count > length) {
            return NO_MATCH; // A character is at least one byte.
        }
        return count >= Long.BYTES && isEqualAscii(text, bytes, offset)
                ? count
                : matchAny(text, bytes, offset, length);
    }

    /// Returns whether a text of at least eight characters is ASCII and has the same characters as bytes.
    private static boolean isEqualAscii(String text, MemorySegment bytes, long offset) {
        // The last word may overlap with the previous word, since a loop over single characters takes longer.
        int last = text.length() - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (!isEqualAscii(text, i, bytes.get(WORD, offset + i))) {
                return false;
            }
        }
        return isEqualAscii(text, last, bytes.get(WORD, offset + last));
    }

    private static int matchAny(String text, MemorySegment bytes, long offset, int length) {
        int count = text.length();
        for (int i = 0; i < count; i++) {
            byte b = bytes.get(JAVA_BYTE, offset + i);
            if (b != text.charAt(i)) {
                if (b >= 0) {
                    return NO_MATCH;
                }
                int rest = matchUtf8(text, i, bytes, offset + i, length - i);
                return rest < 0 ? NO_MATCH : i + rest;
            }
        }
        return count;
    }

    /// Returns whether eight characters of a text are ASCII and equal to bytes, the first in the lowest byte.
    private static boolean isEqualAscii(String text, int index, long bytes) {
        // Without a loop: in this form, the compiled code is the fastest.
        long c0 = text.charAt(index);
        long c1 = text.charAt(index + 1);
        long c2 = text.charAt(index + 2);
        long c3 = text.charAt(index + 3);
        long c4 = text.charAt(index + 4);
        long c5 = text.charAt(index + 5);
        long c6 = text.charAt(index + 6);
        long c7 = text.charAt(index + 7);
        return (c0 | c1 << 8 | c2 << 16 | c3 << 24 | c4 << 32 | c5 << 40 | c6 << 48 | c7 << 56) == bytes
                && (c0 | c1 | c2 | c3 | c4 | c5 | c6 | c7) <= 0x7f;
    }

    private static int matchUtf8(String text, int from, MemorySegment bytes, long offset, int length) {
        int done = 0;
        for (int i = from; i < text.length();) {
            if (done == length) {
                return NO_MATCH;
            }
            int first = bytes.get(JAVA_BYTE, offset + done);
            int codePoint;
            if (first >= 0) {
                codePoint = first;
                done++;
            } else if (first < (byte) 0xe0) {
                codePoint = (first & 0x1f) << 6 | continuation(bytes, offset + done + 1);
                done += 2;
            } else if (first < (byte) 0xf0) {
                codePoint = (first & 0x0f) << 12 | continuation(bytes, offset + done + 1) << 6
                        | continuation(bytes, offset + done + 2);
                done += 3;
            } else {
                codePoint = (first & 0x07) << 18 | continuation(bytes, offset + done + 1) << 12
                        | continuation(bytes, offset + done + 2) << 6 | continuation(bytes, offset + done + 3);
                done += 4;
            }
            if (Character.codePointAt(text, i) != codePoint) {
                return NO_MATCH;
            }
            i += Character.charCount(codePoint);
        }
        return done;
    }

    private static int continuation(MemorySegment bytes, long offset) {
        return bytes.get(JAVA_BYTE, offset) & 0x3f;
    }
}
