package dev.arenakit.tool.find;

import java.util.Arrays;

/// A sequence of bytes with optional wildcards for bits. A pattern never matches bytes that are all zero, since nobody
/// can tell whether they were written.
final class BytePattern {
    private static final int ANY_BITS = 0;
    private static final int NO_BITS = 0xff;

    private final byte[] values;
    private final byte[] masks;
    /// The index of the byte of the pattern that is probably the rarest.
    private final int anchor;
    private final boolean canBeZero;

    /// @param masks the bits of each byte that matter; all other bits of the values are 0
    private BytePattern(byte[] values, byte[] masks) {
        this.values = values;
        this.masks = masks;
        anchor = anchor(values, masks);
        canBeZero = isZero(values, 0, values.length);
    }

    /// Makes a pattern without wildcards.
    ///
    /// @throws IllegalArgumentException if there are no bytes, or all bytes are zero
    static BytePattern of(byte[] bytes) {
        byte[] masks = new byte[bytes.length];
        Arrays.fill(masks, (byte) NO_BITS);
        return checked(new BytePattern(bytes.clone(), masks));
    }

    /// Parses hexadecimal digits. A `?` stands for any digit: `7f 45 ?? 4?`.
    ///
    /// @throws IllegalArgumentException with a message for the user
    static BytePattern parse(String text) {
        String digits = text.replaceAll("\\s", "");
        if (digits.length() % 2 != 0) {
            throw new IllegalArgumentException("the last byte has one digit: each has two, such as 0f or 7?");
        }
        byte[] values = new byte[digits.length() / 2];
        byte[] masks = new byte[values.length];
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            int value = digit < 128 ? Character.digit(digit, 16) : -1;
            if (value < 0 && digit != '?') {
                throw new IllegalArgumentException("'" + digit + "' is no hexadecimal digit and no ?");
            }
            int shift = i % 2 == 0 ? 4 : 0;
            values[i / 2] |= (byte) (Math.max(0, value) << shift);
            masks[i / 2] |= (byte) ((digit == '?' ? ANY_BITS : 0xf) << shift);
        }
        return checked(new BytePattern(values, masks));
    }

    int length() {
        return values.length;
    }

    /// Finds the first match that begins in a range.
    ///
    /// @param to the end of the range; at least as many bytes as this pattern has must follow it
    /// @return the index, or -1 if there is none
    int find(byte[] bytes, int from, int to) {
        int mask = masks[anchor];
        int value = values[anchor];
        for (int i = from; i < to; i++) {
            if ((bytes[i + anchor] & mask) == value && matches(bytes, i)) {
                return i;
            }
        }
        return -1;
    }

    private boolean matches(byte[] bytes, int at) {
        for (int i = 0; i < values.length; i++) {
            if ((bytes[at + i] & masks[i]) != values[i]) {
                return false;
            }
        }
        return !canBeZero || !isZero(bytes, at, at + values.length);
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static BytePattern checked(BytePattern pattern) {
        if (pattern.values.length == 0) {
            throw new IllegalArgumentException("there are no bytes to search for");
        }
        boolean isExact = true;
        for (byte mask : pattern.masks) {
            isExact &= mask == (byte) NO_BITS;
        }
        if (isExact && pattern.canBeZero) {
            throw new IllegalArgumentException("bytes that are all zero are not found: holes consist of them");
        }
        return pattern;
    }

    private static int anchor(byte[] values, byte[] masks) {
        int best = 0;
        for (int i = 0; i < values.length; i++) {
            if (rarity(values[i], masks[i]) > rarity(values[best], masks[best])) {
                best = i;
            }
        }
        return best;
    }

    private static int rarity(byte value, byte mask) {
        boolean isUsual = value == 0 || value == -1 || value == ' ';
        return Integer.bitCount(mask & NO_BITS) * 2 + (isUsual ? 0 : 1);
    }
}
