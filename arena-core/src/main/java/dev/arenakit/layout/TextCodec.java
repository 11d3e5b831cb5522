package dev.arenakit.layout;

import dev.arenakit.layout.type.StringType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;

/// Text of a fixed length.
///
/// A value must be readable as it was written. The codec rejects text that is too long, characters that the encoding
/// lacks, unpaired surrogates, and NUL, which ends text in memory. On a read it rejects bytes that are malformed in the
/// encoding.
///
/// @param type   the type in memory
/// @param offset the offset of the text in the struct
/// @param where  class and component, for messages
record TextCodec(StringType type, long offset, String where) implements ComponentCodec {
    private static final char REPLACEMENT = '\uFFFD';

    @Override
    public String read(MemorySegment segment, long base) {
        byte[] bytes = new byte[(int) type.byteSize()];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, base + offset, bytes, 0, bytes.length);
        int end = type.unitByteSize() == 1 ? endOfBytes(bytes) : endOfPairs(bytes);
        String text = new String(bytes, 0, end, type.charset());
        if (text.indexOf(REPLACEMENT) >= 0) {
            checkWellFormed(bytes, end);
        }
        return text;
    }

    @Override
    public byte[] prepare(Object value) {
        String text = (String) ValueChecks.required(value, where);
        int byteSize = (int) type.byteSize();
        if (text.length() > byteSize) {
            throw tooLong(text);
        }
        byte[] bytes = text.getBytes(type.charset());
        if (bytes.length > byteSize) {
            throw tooLong(text);
        }
        if (text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("Text contains NUL, which ends it in memory: " + where + ", index="
                    + text.indexOf(0));
        }
        if (isDoubtful(bytes) && !new String(bytes, type.charset()).equals(text)) {
            throw new IllegalArgumentException("Text has a character that the encoding lacks: " + where + ", charset="
                    + type.charset());
        }
        return bytes.length == byteSize ? bytes : Arrays.copyOf(bytes, byteSize);
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        byte[] bytes = (byte[]) prepared;
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
    }

    private static int endOfBytes(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return end;
    }

    private static int endOfPairs(byte[] bytes) {
        int end = 0;
        while (end < bytes.length && (bytes[end] | bytes[end + 1]) != 0) {
            end += 2;
        }
        return end;
    }

    /// Returns whether an encoder may have written its replacement: a question mark, or U+FFFD in UTF-16.
    private boolean isDoubtful(byte[] bytes) {
        if (type.unitByteSize() == 2) {
            return true;
        }
        for (byte b : bytes) {
            if (b == '?') {
                return true;
            }
        }
        return false;
    }

    private void checkWellFormed(byte[] bytes, int end) {
        try {
            type.charset().newDecoder().decode(ByteBuffer.wrap(bytes, 0, end));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("Bytes in memory are malformed in the encoding: " + where + ", charset="
                    + type.charset() + "; make the component a byte[]", e);
        }
    }

    private IllegalArgumentException tooLong(String text) {
        return new IllegalArgumentException("Text is too long: " + where + ", chars=" + text.length() + ", length="
                + type.length() + ", charset=" + type.charset() + "; shorten it, or raise @Length");
    }
}
