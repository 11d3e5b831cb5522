package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.WhereField.Condition;
import dev.arenakit.tool.where.WhereOperand.Quoted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Decodes texts, and compares them with constants.
final class WhereText {
    /// Decoding replaces malformed bytes by this character.
    private static final char REPLACEMENT = '\ufffd';

    private WhereText() {}

    /// Compares a text with a constant: its UTF-16 code units, as [String#compareTo] does.
    static Condition compare(StringType type, WhereOperator operator, WhereOperand constant) throws WhereException {
        if (!(constant instanceof Quoted quoted)) {
            throw new WhereException(constant.column(), "expected a text in quotes: the field is a text");
        }
        if (operator.isMatching()) {
            Pattern pattern = pattern(quoted);
            boolean isFound = operator == WhereOperator.MATCHES;
            return (bytes, at) -> find(pattern, decode(type, bytes, at)) == isFound;
        }
        String text = unescape(quoted);
        byte[] stored = stored(type, text);
        if (!operator.isEquality() || stored.length == 0) {
            return (bytes, at) -> operator.accepts(decode(type, bytes, at).compareTo(text));
        }
        MemorySegment expected = MemorySegment.ofArray(stored);
        long size = stored.length;
        boolean isEqual = operator == WhereOperator.EQUAL;
        return (bytes, at) -> MemorySegment.mismatch(bytes, at, at + size, expected, 0, size) < 0 == isEqual;
    }

    /// Compiles a regular expression. This grammar escapes only the quote in it.
    private static Pattern pattern(Quoted quoted) throws WhereException {
        try {
            return Pattern.compile(quoted.escaped());
        } catch (PatternSyntaxException e) {
            throw new WhereException(quoted.column(), "no regular expression: " + e.getDescription()
                    + (e.getIndex() < 0 ? "" : " near index " + e.getIndex()));
        }
    }

    static String unescape(Quoted quoted) throws WhereException {
        try {
            return quoted.escaped().translateEscapes();
        } catch (IllegalArgumentException e) {
            throw new WhereException(quoted.column(), "unknown escape: write an escape of Java, such as \\\\ \\\" \\n");
        }
    }

    /// The bytes with which a field begins if and only if it contains a text. Empty if the text must be decoded to find
    /// out.
    private static byte[] stored(StringType type, String text) {
        boolean hasSpaces = type.padding() == Padding.SPACE;
        byte[] encoded = text.getBytes(type.charset());
        byte[] padding = (hasSpaces ? " " : "\0").getBytes(type.charset());
        boolean isDecoded = type.prefixByteSize() > 0 || encoded.length > type.byteSize()
                || text.indexOf(REPLACEMENT) >= 0 || !new String(encoded, type.charset()).equals(text)
                || (hasSpaces ? text.endsWith(" ") : text.indexOf('\0') >= 0);
        if (isDecoded) {
            return new byte[0];
        }
        long size = hasSpaces ? type.byteSize() : Math.min(type.byteSize(), encoded.length + padding.length);
        byte[] stored = Arrays.copyOf(encoded, (int) size);
        for (int i = encoded.length; i < size; i++) {
            stored[i] = padding[i % padding.length];
        }
        return stored;
    }

    /// Decodes a text as [dev.arenakit.dump.LayoutDump] does.
    private static String decode(StringType type, MemorySegment bytes, long at) {
        return new String(type.codeUnits(bytes.asSlice(at, type.byteSize())).toArray(JAVA_BYTE), type.charset());
    }

    private static boolean find(Pattern pattern, String text) {
        try {
            return pattern.matcher(text).find();
        } catch (StackOverflowError e) {
            throw new UncheckedIOException(
                    new IOException("the regular expression " + PrintableText.shortened(pattern.pattern())
                            + " needs too much stack for a text of " + text.length() + " characters"));
        }
    }
}
