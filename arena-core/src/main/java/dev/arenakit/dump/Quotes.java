package dev.arenakit.dump;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Locale;

/// Text in quotes, in which nothing acts on a terminal: what cannot be seen, or is no text, is escaped.
final class Quotes {
    private Quotes() {}

    static String quote(char unit) {
        StringBuilder text = new StringBuilder("'");
        if (unit == '\'') {
            text.append("\\'");
        } else if (unit == '"') {
            text.append(unit);
        } else {
            escape(unit, text);
        }
        return text.append('\'').toString();
    }

    static String quote(byte[] bytes, Charset charset) {
        CharsetDecoder decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length + 1);
        StringBuilder text = new StringBuilder("\"");
        int longest = charset.name().startsWith("UTF-16") ? Character.BYTES : bytes.length;
        while (in.hasRemaining()) {
            CoderResult result = decoder.decode(in, out, true);
            out.flip().codePoints().forEach(codePoint -> escape(codePoint, text));
            out.clear();
            // A surrogate alone is reported together with the unit behind it, which may well be text.
            int wrong = result.isError() ? Math.min(result.length(), longest) : in.remaining();
            for (int i = 0; i < wrong; i++) {
                text.append(String.format(Locale.ROOT, "\\x%02x", in.get()));
            }
            decoder.reset();
        }
        return text.append('"').toString();
    }

    private static void escape(int codePoint, StringBuilder text) {
        switch (codePoint) {
            case '"' -> text.append("\\\"");
            case '\\' -> text.append("\\\\");
            case '\n' -> text.append("\\n");
            case '\r' -> text.append("\\r");
            case '\t' -> text.append("\\t");
            default -> {
                if (isVisible(codePoint)) {
                    text.appendCodePoint(codePoint);
                } else {
                    for (char unit : Character.toChars(codePoint)) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
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
