package dev.arenakit.internal.layout.value;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Finds the end of text in an array of bytes, and the places where text can be cut.
final class TextBytes {
    private TextBytes() {}

    /// Returns the offset of the first NUL, or the length of the array.
    static int endBeforeNul(byte[] bytes, int unit) {
        int end = 0;
        while (end < bytes.length && !isNul(bytes, end, unit)) {
            end += unit;
        }
        return end;
    }

    private static boolean isNul(byte[] bytes, int at, int unit) {
        for (int i = at; i < at + unit; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    /// Returns the offset of the spaces at the end of the array.
    static int endBeforeSpaces(byte[] bytes, Charset charset) {
        byte[] space = " ".getBytes(charset);
        int end = bytes.length;
        while (end > 0 && Arrays.equals(bytes, end - space.length, end, space, 0, space.length)) {
            end -= space.length;
        }
        return end;
    }

    /// Fills the end of an array with spaces.
    static void fillSpaces(byte[] bytes, int from, Charset charset) {
        byte[] space = " ".getBytes(charset);
        for (int i = from; i < bytes.length; i++) {
            bytes[i] = space[(i - from) % space.length];
        }
    }

    /// Returns the largest index that is at most the limit and not between two surrogates.
    static int endOfCharacter(String text, int limit) {
        return limit > 0 && Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
    }

    /// Returns the largest offset that is at most the limit and not between the code units of a character.
    static int endOfCharacter(byte[] bytes, int limit, Charset charset) {
        int end = limit;
        if (charset.equals(StandardCharsets.UTF_8)) {
            while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
                end--;
            }
        } else if (charset.name().startsWith("UTF-16") && end >= 2) {
            int high = bytes[charset.equals(StandardCharsets.UTF_16BE) ? end - 2 : end - 1] & 0xFC;
            end = high == 0xD8 ? end - 2 : end;
        }
        return end;
    }

    /// Returns whether an encoder may have written its replacement: a question mark, or U+FFFD in wide code units.
    static boolean isDoubtful(byte[] bytes, long unit) {
        if (unit > 1) {
            return true;
        }
        for (byte b : bytes) {
            if (b == '?') {
                return true;
            }
        }
        return false;
    }
}
