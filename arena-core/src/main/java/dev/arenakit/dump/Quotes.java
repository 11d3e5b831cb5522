package dev.arenakit.dump;

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

/// Text in quotes, in which nothing acts on a terminal: what cannot be seen, or is no text, is escaped.
final class Quotes {
    /// How many chars are decoded at once; a text may have any number.
    private static final int CHARS = 1 << 10;

    private Quotes() {}

    static void quote(char unit, TextBuffer text) throws IOException {
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

    static void quote(MemorySegment bytes, Charset charset, TextBuffer text) throws IOException {
        text.ascii('"');
        boolean wide = !charset.equals(StandardCharsets.UTF_8) && !charset.equals(StandardCharsets.US_ASCII);
        if (wide || !text.plainAscii(bytes)) {
            decode(bytes, charset, wide ? Character.BYTES : Integer.MAX_VALUE, text);
        }
        text.ascii('"');
    }

    /// @param longest how many bytes can be wrong at once
    private static void decode(MemorySegment bytes, Charset charset, int longest, TextBuffer text) throws IOException {
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
                // A surrogate alone is reported together with the unit behind it, which may well be text.
                int wrong = result.isError() ? Math.min(result.length(), longest) : in.remaining();
                for (int i = 0; i < wrong; i++) {
                    text.ascii("\\x").hex(in.get(), 2);
                }
            }
            decoder.reset();
        }
    }

    private static void escape(int codePoint, TextBuffer text) throws IOException {
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
