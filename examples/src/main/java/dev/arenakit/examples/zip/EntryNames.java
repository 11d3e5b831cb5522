package dev.arenakit.examples.zip;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.charset.StandardCharsets.UTF_8;

/// The names of entries as bytes: their hashes, and comparison with text.
///
/// Names are UTF-8 or code page 437. An entry has a flag for UTF-8; but there are programs that write UTF-8 and do not
/// set the flag. A name without the flag is therefore in code page 437 only if it is not valid UTF-8.
final class EntryNames {
    /// The characters from 0x80 in code page 437.
    private static final String CODE_PAGE_437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

    private static final int NO_MATCH = -1;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);

    private EntryNames() {}

    /// Returns the hash of a prefix and a name.
    static int hash(String prefix, CharSequence name) {
        int hash = prefix.hashCode();
        for (int i = 0; i < name.length(); i++) {
            hash *= 31;
        }
        return hash + hash(name);
    }

    /// Returns whether a name begins with a prefix.
    static boolean startsWith(CharSequence name, String prefix) {
        if (name.length() < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (name.charAt(i) != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Returns the hash of a name. It equals the hash of the String.
    static int hash(CharSequence name) {
        if (name instanceof String text) {
            return text.hashCode();
        }
        int hash = 0;
        for (int i = 0; i < name.length(); i++) {
            hash = 31 * hash + name.charAt(i);
        }
        return hash;
    }

    /// Returns a text in UTF-8, or null if the bytes are not UTF-8.
    static @Nullable String utf8(MemorySegment bytes, long offset, int length) {
        byte[] copy = bytes.asSlice(offset, length).toArray(JAVA_BYTE);
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(copy)).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    /// Returns a text in code page 437.
    static String codePage437(MemorySegment bytes, long offset, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(codePage437(bytes.get(JAVA_BYTE, offset + i)));
        }
        return text.toString();
    }

    private static char codePage437(byte b) {
        return b >= 0 ? (char) b : CODE_PAGE_437.charAt(b & 0x7f);
    }

    /// Compares text with the beginning of a valid name.
    ///
    /// @param isCodePage437 whether the name is in code page 437; otherwise it is in UTF-8
    /// @return the number of bytes of the name that the text equals, or -1
    static int match(CharSequence text, MemorySegment bytes, long offset, int length, boolean isCodePage437) {
        int count = text.length();
        if (count > length) {
            return NO_MATCH; // In both encodings, a character is at least one byte.
        }
        return count >= Long.BYTES && isEqualAscii(text, bytes, offset)
                ? count
                : matchAny(text, bytes, offset, length, isCodePage437);
    }

    /// Returns whether a text of at least eight characters is ASCII and has the same characters as bytes.
    private static boolean isEqualAscii(CharSequence text, MemorySegment bytes, long offset) {
        // The last word may overlap with the previous word, since a loop over single characters takes longer.
        int last = text.length() - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            if (!isEqualAscii(text, i, bytes.get(WORD, offset + i))) {
                return false;
            }
        }
        return isEqualAscii(text, last, bytes.get(WORD, offset + last));
    }

    private static int matchAny(CharSequence text, MemorySegment bytes, long offset, int length,
            boolean isCodePage437) {
        int count = text.length();
        for (int i = 0; i < count; i++) {
            byte b = bytes.get(JAVA_BYTE, offset + i);
            if (b != text.charAt(i)) {
                if (b >= 0) {
                    return NO_MATCH;
                }
                int rest = isCodePage437
                        ? matchCodePage437(text, i, bytes, offset + i, length - i)
                        : matchUtf8(text, i, bytes, offset + i, length - i);
                return rest < 0 ? NO_MATCH : i + rest;
            }
        }
        return count;
    }

    /// Returns whether eight characters of a text are ASCII and equal to bytes, the first in the lowest byte.
    private static boolean isEqualAscii(CharSequence text, int index, long bytes) {
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

    private static int matchCodePage437(CharSequence text, int from, MemorySegment bytes, long offset, int length) {
        int count = text.length() - from;
        for (int i = 0; i < count; i++) {
            if (codePage437(bytes.get(JAVA_BYTE, offset + i)) != text.charAt(from + i)) {
                return NO_MATCH;
            }
        }
        return count <= length ? count : NO_MATCH;
    }

    private static int matchUtf8(CharSequence text, int from, MemorySegment bytes, long offset, int length) {
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
