package dev.arenakit.internal.dump;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Quotes text, and escapes invisible characters and malformed bytes, so that the output cannot control a terminal.
final class StructTextEscaper {
    /// The number of chars that are decoded at once.
    private static final int CHARS = 1 << 10;

    private StructTextEscaper() {}

    static void quote(char unit, Utf8Buffer text) throws IOException {
        text.ascii('\'');
        if (unit == '\'') {
            text.ascii("\\'");
        } else if (unit == '"') {
            text.ascii(unit);
        } else {
            escape(unit, text);
        }
        text.ascii('\'');
    }

    static void quote(MemorySegment bytes, Charset charset, Utf8Buffer text) throws IOException {
        text.ascii('"');
        boolean wide = !charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII);
        if (wide || !text.plainAscii(bytes)) {
            decode(bytes, charset, charset.name().startsWith("UTF-16") ? Character.BYTES : Integer.MAX_VALUE, text);
        }
        text.ascii('"');
    }

    /// @param longest the largest number of bytes in one malformed sequence
    private static void decode(MemorySegment bytes, Charset charset, int longest, Utf8Buffer text) throws IOException {
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes.toArray(JAVA_BYTE));
        CharBuffer out = CharBuffer.allocate(Math.min(CHARS, in.remaining() + 1));
        while (in.hasRemaining()) {
            CoderResult result = decoder.decode(in, out, true);
            out.flip();
            while (out.hasRemaining()) {
                int codePoint = Character.codePointAt(out, 0);
                out.position(out.position() + Character.charCount(codePoint));
                escape(codePoint, text);
            }
            out.clear();
            if (!result.isOverflow()) {
                // An unpaired surrogate is reported together with the unit that follows it, which may be valid.
                int wrong = result.isError() ? Math.min(result.length(), longest) : in.remaining();
                for (int i = 0; i < wrong; i++) {
                    text.ascii("\\x").hex(in.get(), 2);
                }
            }
            decoder.reset();
        }
    }

    static void escape(int codePoint, Utf8Buffer text) throws IOException {
        switch (codePoint) {
            case '"' -> text.ascii("\\\"");
            case '\\' -> text.ascii("\\\\");
            case '\n' -> text.ascii("\\n");
            case '\r' -> text.ascii("\\r");
            case '\t' -> text.ascii("\\t");
            default -> {
                if (isVisible(codePoint)) {
                    text.codePoint(codePoint);
                } else {
                    for (char unit : Character.toChars(codePoint)) {
                        text.ascii("\\u").hex(unit, 4);
                    }
                }
            }
        }
    }

    private static boolean isVisible(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED, Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            default -> true;
        };
    }
}
