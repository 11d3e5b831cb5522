package dev.arenakit.internal.layout.value;

import dev.arenakit.internal.layout.declaration.ComponentDeclaration;
import dev.arenakit.layout.annotation.Encoding;
import dev.arenakit.layout.type.StoredInteger;
import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;

/// Text in an array of a fixed length.
///
/// A value must be readable as it was written. The codec rejects text that is too long (unless it is cut), characters
/// that the encoding lacks, unpaired surrogates, and text that contains its own end. On a read it rejects bytes that
/// are malformed in the encoding.
///
/// @param type   the type in memory
/// @param prefix the number of code units before the array; its `bitSize` is 0 if there is none
/// @param cut    whether text that is too long is cut
/// @param offset the offset of the text in the struct
/// @param where  class and component, for messages
public record FixedTextCodec(StringType type, StoredInteger prefix, boolean cut, long offset,
        String where) implements ComponentCodec {
    private static final char REPLACEMENT = '\uFFFD';

    /// Returns the codec of a component that is text.
    ///
    /// @param offset the offset of the text in the struct
    public static FixedTextCodec of(ComponentDeclaration component, StringType type, long offset) {
        StoredInteger prefix = StoredInteger.ofBytes(type.prefixByteSize(), type.prefixOrder(), false);
        Optional<Encoding> encoding = component.annotation(Encoding.class);
        boolean cut = encoding.isPresent() && encoding.get().truncate();
        return new FixedTextCodec(type, prefix, cut, offset, component.where());
    }

    @Override
    public String read(MemorySegment segment, long base) {
        int unit = (int) type.unitByteSize();
        byte[] bytes;
        int end;
        if (prefix.bitSize() > 0) {
            end = (int) (checkedLength(prefix.get(segment, base + offset)) * unit);
            bytes = new byte[end];
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, base + offset + prefix.byteSize(), bytes, 0, end);
        } else {
            bytes = new byte[(int) type.byteSize()];
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, base + offset, bytes, 0, bytes.length);
            end = type.padding() == Padding.NUL
                    ? TextBytes.endBeforeNul(bytes, unit)
                    : TextBytes.endBeforeSpaces(bytes, type.charset());
        }
        String text = new String(bytes, 0, end, type.charset());
        if (text.indexOf(REPLACEMENT) >= 0) {
            checkWellFormed(bytes, end);
        }
        return text;
    }

    private long checkedLength(long length) {
        if (length > type.length()) {
            throw new IllegalArgumentException("Length of text in memory is out of range: " + where + ", value="
                    + length + ", length=" + type.length());
        }
        return length;
    }

    @Override
    public byte[] prepare(MemorySegment segment, long base, Object value) {
        String whole = (String) ValueChecks.required(value, where);
        int limit = (int) (type.byteSize() - prefix.byteSize());
        String text = whole;
        if (text.length() > limit) {
            if (!cut) {
                throw tooLong(text);
            }
            text = text.substring(0, TextBytes.endOfCharacter(text, limit));
        }
        byte[] encoded = text.getBytes(type.charset());
        int length = encoded.length;
        if (length > limit) {
            if (!cut) {
                throw tooLong(text);
            }
            length = TextBytes.endOfCharacter(encoded, limit, type.charset());
        }
        String read = length < encoded.length ? new String(encoded, 0, length, type.charset()) : text;
        if (TextBytes.isDoubtful(encoded, type.unitByteSize())
                && !text.startsWith(new String(encoded, 0, length, type.charset()))) {
            throw new IllegalArgumentException("Text has a character that the encoding lacks: " + where + ", charset="
                    + type.charset());
        }
        checkEnd(read, length < encoded.length || text.length() < whole.length());
        byte[] bytes = new byte[(int) type.byteSize()];
        System.arraycopy(encoded, 0, bytes, prefix.byteSize(), length);
        if (prefix.bitSize() > 0) {
            prefix.set(MemorySegment.ofArray(bytes), 0, length / type.unitByteSize());
        } else if (type.padding() == Padding.SPACE) {
            TextBytes.fillSpaces(bytes, length, type.charset());
        }
        return bytes;
    }

    /// @param shortened whether the text was cut
    private void checkEnd(String text, boolean shortened) {
        boolean nulEnds = prefix.bitSize() == 0 && type.padding() == Padding.NUL;
        if (nulEnds && text.indexOf(0) >= 0) {
            throw new IllegalArgumentException("Text contains NUL, which ends it in memory: " + where + ", index="
                    + text.indexOf(0));
        }
        if (type.padding() == Padding.SPACE && !shortened && text.endsWith(" ")) {
            throw new IllegalArgumentException("Text ends with a space, which is not part of it in memory: " + where
                    + ", chars=" + text.length());
        }
    }

    @Override
    public void write(MemorySegment segment, long base, Object prepared) {
        byte[] bytes = (byte[]) prepared;
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, base + offset, bytes.length);
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
                + type.length() + ", charset=" + type.charset() + "; shorten it, raise @Length, or let it be cut"
                + " by @Encoding(truncate = true)");
    }
}
