package dev.arenakit.internal.dump;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Buffers UTF-8 text for a stream. Each write to the stream consists of whole characters.
public final class Utf8Buffer {
    private static final int SIZE = 1 << 16;
    /// The initial size. The text of one struct seldom needs more, and a program may make millions of dumps of one
    /// struct.
    private static final int FIRST_SIZE = 1 << 8;
    /// The largest number of characters of a `long` in decimal.
    private static final int LONGEST_NUMBER = 20;

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    /// The numbers from 0 to 99, in two digits each.
    private static final byte[] PAIRS = new byte[200];

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = DIGITS[i / 10];
            PAIRS[2 * i + 1] = DIGITS[i % 10];
        }
    }

    private final OutputStream target;
    private byte[] bytes = new byte[FIRST_SIZE];
    private int written;

    public Utf8Buffer(OutputStream target) {
        this.target = target;
    }

    Utf8Buffer ascii(char character) throws IOException {
        makeRoom(1);
        bytes[written++] = (byte) character;
        return this;
    }

    Utf8Buffer ascii(String text) throws IOException {
        int length = text.length();
        for (int from = 0; from < length;) {
            int count = Math.min(SIZE, length - from);
            makeRoom(count);
            for (int i = 0; i < count; i++) {
                bytes[written + i] = (byte) text.charAt(from + i);
            }
            written += count;
            from += count;
        }
        return this;
    }

    /// Appends the bytes if all of them are ASCII characters that need no escape in quotes; appends nothing otherwise.
    boolean plainAscii(MemorySegment text) throws IOException {
        if (text.byteSize() > SIZE) {
            return false;
        }
        int count = (int) text.byteSize();
        makeRoom(count);
        MemorySegment.copy(text, JAVA_BYTE, 0, bytes, written, count);
        for (int i = written; i < written + count; i++) {
            byte unit = bytes[i];
            if (unit < ' ' || unit == '"' || unit == '\\' || unit == 0x7f) {
                return false;
            }
        }
        written += count;
        return true;
    }

    Utf8Buffer codePoint(int codePoint) throws IOException {
        if (codePoint < 0x80) {
            return ascii((char) codePoint);
        }
        byte[] utf8 = Character.toString(codePoint).getBytes(StandardCharsets.UTF_8);
        makeRoom(utf8.length);
        System.arraycopy(utf8, 0, bytes, written, utf8.length);
        written += utf8.length;
        return this;
    }

    Utf8Buffer spaces(int count) throws IOException {
        for (int left = count; left > 0;) {
            int now = Math.min(SIZE, left);
            makeRoom(now);
            Arrays.fill(bytes, written, written + now, (byte) ' ');
            written += now;
            left -= now;
        }
        return this;
    }

    Utf8Buffer decimal(long value) throws IOException {
        makeRoom(LONGEST_NUMBER);
        // The digits are computed from the negative number, because Long.MIN_VALUE has no positive counterpart.
        long rest = value < 0 ? value : -value;
        if (value < 0) {
            bytes[written++] = '-';
        }
        int at = written + digits(rest);
        written = at;
        while (rest <= -100) {
            long quotient = rest / 100;
            int pair = 2 * (int) (quotient * 100 - rest);
            bytes[--at] = PAIRS[pair + 1];
            bytes[--at] = PAIRS[pair];
            rest = quotient;
        }
        int pair = 2 * (int) -rest;
        bytes[--at] = PAIRS[pair + 1];
        if (rest <= -10) {
            bytes[--at] = PAIRS[pair];
        }
        return this;
    }

    /// The number of decimal digits of a number that is not positive.
    private static int digits(long negative) {
        int digits = 1;
        for (long bound = -10; digits < LONGEST_NUMBER - 1 && negative <= bound; bound *= 10) {
            digits++;
        }
        return digits;
    }

    /// Appends the lowest hexadecimal digits of a value.
    Utf8Buffer hex(long value, int digits) throws IOException {
        makeRoom(digits);
        long rest = value;
        for (int i = written + digits - 1; i >= written; i--) {
            bytes[i] = DIGITS[(int) rest & 0xf];
            rest >>>= 4;
        }
        written += digits;
        return this;
    }

    public void flush() throws IOException {
        if (written > 0) {
            target.write(bytes, 0, written);
            written = 0;
        }
    }

    private void makeRoom(int count) throws IOException {
        if (written > bytes.length - count) {
            growOrFlush(count);
        }
    }

    private void growOrFlush(int count) throws IOException {
        if (written > SIZE - count) {
            flush();
        }
        if (written > bytes.length - count) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.min(SIZE, 2 * bytes.length), written + count));
        }
    }
}
