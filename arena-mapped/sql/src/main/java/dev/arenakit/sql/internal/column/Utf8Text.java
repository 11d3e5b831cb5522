package dev.arenakit.sql.internal.column;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.sql.internal.duckdb.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A buffer that holds one text in UTF-8.
final class Utf8Text {
    /// The largest number of bytes. Structs have no larger texts in practice.
    private static final long LARGEST = 1 << 24;
    private static final int SHOWN = 16;

    private final StringType type;
    private final boolean isUtf16;
    private final boolean isBigEndian;
    private final boolean isAscii;
    private final Arena arena;
    private MemorySegment buffer;
    private int copied;
    private long start;

    /// @param arena the lifetime of the buffer
    Utf8Text(StringType type, Arena arena) {
        this.type = type;
        this.arena = arena;
        isUtf16 = type.unitByteSize() == 2;
        isBigEndian = type.charset().equals(StandardCharsets.UTF_16BE);
        isAscii = type.charset().equals(StandardCharsets.US_ASCII);
        buffer = arena.allocate(64);
    }

    long address() {
        return buffer.address();
    }

    /// Reads a text.
    ///
    /// @param length the largest number of code units
    /// @return the number of bytes in UTF-8, or -1 if the text is malformed
    int read(long from, long length) {
        start = from;
        boolean endsAtNul = type.prefixByteSize() == 0 && type.padding() == StringType.Padding.NUL;
        int byteSize = isUtf16 ? readUtf16(from, length, endsAtNul) : readBytes(from, length, endsAtNul);
        if (byteSize > 0 && type.padding() == StringType.Padding.SPACE) {
            while (byteSize > 0 && NativeMemory.getByte(address() + byteSize - 1) == ' ') {
                byteSize--;
            }
        }
        return byteSize;
    }

    private int readBytes(long from, long length, boolean endsAtNul) {
        int high = 0;
        int end = 0;
        for (; end < length; end++) {
            byte unit = NativeMemory.getByte(from + end);
            if (unit == 0 && endsAtNul) {
                break;
            }
            put(end, unit);
            high |= unit;
        }
        copied = end;
        return high >= 0 || (!isAscii && isUtf8(end)) ? end : -1;
    }

    private int readUtf16(long from, long length, boolean endsAtNul) {
        int end = 0;
        for (int i = 0; i < length; i++) {
            char unit = unit(from, i);
            if (unit == 0 && endsAtNul) {
                break;
            }
            int character = unit;
            if (Character.isHighSurrogate(unit) && i + 1 < length) {
                char next = unit(from, i + 1);
                if (Character.isLowSurrogate(next)) {
                    i++;
                    character = Character.toCodePoint(unit, next);
                }
            }
            if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                copied = end;
                return -1;
            }
            end = putCharacter(end, character);
        }
        copied = end;
        return end;
    }

    private char unit(long from, int index) {
        char unit = (char) NativeMemory.getShort(from + 2L * index);
        boolean swapped = isBigEndian == (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
        return swapped ? Character.reverseBytes(unit) : unit;
    }

    private int putCharacter(int at, int character) {
        int end = at;
        if (character < 0x80) {
            put(end++, (byte) character);
        } else if (character < 0x800) {
            put(end++, (byte) (0xc0 | (character >> 6)));
            put(end++, more(character, 0));
        } else if (character < 0x10000) {
            put(end++, (byte) (0xe0 | (character >> 12)));
            put(end++, more(character, 6));
            put(end++, more(character, 0));
        } else {
            put(end++, (byte) (0xf0 | (character >> 18)));
            put(end++, more(character, 12));
            put(end++, more(character, 6));
            put(end++, more(character, 0));
        }
        return end;
    }

    /// Returns a byte of a character after its first byte.
    private static byte more(int character, int shift) {
        return (byte) (0x80 | ((character >> shift) & 0x3f));
    }

    private void put(int at, byte unit) {
        if (at >= buffer.byteSize()) {
            if (at >= LARGEST) {
                throw new ConversionFailure("text is too long: limit=" + LARGEST, start);
            }
            MemorySegment larger = arena.allocate(4 * buffer.byteSize());
            MemorySegment.copy(buffer, 0, larger, 0, at);
            buffer = larger;
        }
        NativeMemory.putByte(buffer.address() + at, unit);
    }

    /// Whether the first bytes of the buffer are UTF-8, without surrogates and overlong forms.
    private boolean isUtf8(int end) {
        for (int i = 0; i < end;) {
            int first = unsigned(i++);
            if (first < 0x80) {
                continue;
            }
            int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
            if (first < 0xc2 || first > 0xf4 || i + more > end) {
                return false;
            }
            int second = unsigned(i);
            int least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
            int most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
            if (second < least || second > most) {
                return false;
            }
            for (int last = i + more; i < last; i++) {
                if ((unsigned(i) & 0xc0) != 0x80) {
                    return false;
                }
            }
        }
        return true;
    }

    private int unsigned(int at) {
        return NativeMemory.getByte(buffer.address() + at) & 0xff;
    }

    void zeroAfter(int start, int end) {
        for (int i = start; i < end; i++) {
            NativeMemory.putByte(buffer.address() + i, (byte) 0);
        }
    }

    /// The first bytes of the text, in hexadecimal.
    String hex() {
        int shown = Math.min(copied, SHOWN);
        return HexFormat.of().formatHex(buffer.asSlice(0, shown).toArray(JAVA_BYTE)) + (shown < copied ? "..." : "");
    }
}
