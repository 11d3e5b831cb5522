package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.WhereExpression.Quoted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// Decodes texts, and compares them with constants.
final class WhereText {
    /// The largest number of bytes that are compared without decoding the text.
    private static final int MAX_BYTES = 32;
    /// Decoding replaces malformed bytes by this character.
    private static final char REPLACEMENT = '\ufffd';

    private WhereText() {}

    /// Compares a text with a constant: its UTF-16 code units, as [String#compareTo] does.
    static WhereCondition compare(StringType type, WhereOperator operator, Operand constant) throws WhereException {
        if (!(constant instanceof Quoted quoted)) {
            throw new WhereException(constant.column(), "expected a text in quotes: the field is a text");
        }
        if (operator.isMatching()) {
            Pattern pattern = pattern(quoted);
            boolean isFound = operator == WhereOperator.MATCHES;
            return (bytes, at, _) -> find(pattern, decode(type, bytes, at)) == isFound;
        }
        String text = unescape(quoted);
        return operator.isEquality()
                ? equality(type, operator, text)
                : decoded(type, operator, text);
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
        String escaped = quoted.escaped();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < escaped.length(); i++) {
            char c = escaped.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            c = escaped.charAt(++i);
            switch (c) {
                case '"', '\'', '\\' -> text.append(c);
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case 'u' -> {
                    int end = i + 5;
                    if (end > escaped.length() || !escaped.substring(i + 1, end).matches("\\p{XDigit}{4}")) {
                        throw new WhereException(quoted.column() + i, "expected four hexadecimal digits after \\u");
                    }
                    text.append((char) Integer.parseInt(escaped.substring(i + 1, end), 16));
                    i = end - 1;
                }
                default -> throw new WhereException(quoted.column() + i,
                        "unknown escape \\" + c + ": there are \\\\ \\\" \\' \\n \\r \\t and \\u0041");
            }
        }
        return text.toString();
    }

    private static WhereCondition decoded(StringType type, WhereOperator operator, String text) {
        return (bytes, at, _) -> operator.accepts(decode(type, bytes, at).compareTo(text));
    }

    /// Compares the bytes of a text where this gives the same result as decoding it.
    private static WhereCondition equality(StringType type, WhereOperator operator, String text) {
        boolean isEqual = operator == WhereOperator.EQUAL;
        if (type.prefixByteSize() > 0 || text.indexOf(REPLACEMENT) >= 0) {
            return decoded(type, operator, text);
        }
        ByteBuffer encoded;
        try {
            encoded = type.charset()
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            return WhereCondition.always(!isEqual);
        }
        int length = encoded.remaining();
        boolean hasSpaces = type.padding() == Padding.SPACE;
        boolean isImpossible = hasSpaces ? text.endsWith(" ") : text.indexOf('\0') >= 0;
        if (isImpossible || length > type.byteSize()) {
            return WhereCondition.always(!isEqual);
        }
        long wanted = hasSpaces ? type.byteSize() : Math.min(type.byteSize(), length + type.unitByteSize());
        if (wanted > MAX_BYTES) {
            return decoded(type, operator, text);
        }
        byte[] constant = new byte[(int) wanted];
        encoded.get(constant, 0, length);
        if (hasSpaces) {
            byte[] space = " ".getBytes(type.charset());
            for (int i = length; i < wanted; i++) {
                constant[i] = space[i % space.length];
            }
        }
        MemorySegment expected = MemorySegment.ofArray(constant);
        return (bytes, at, _) -> MemorySegment.mismatch(bytes, at, at + wanted, expected, 0, wanted) < 0 == isEqual;
    }

    /// Decodes a text as [dev.arenakit.dump.LayoutDump] does.
    static String decode(StringType type, MemorySegment bytes, long at) {
        int unit = (int) type.unitByteSize();
        long start = at + type.prefixByteSize();
        long length = type.length();
        if (type.prefixByteSize() > 0) {
            length = Math.min(length, WhereInteger.unsigned(bytes, at, type.prefixByteSize(),
                    type.prefixOrder() == ByteOrder.BIG_ENDIAN));
        } else if (type.padding() == Padding.NUL) {
            length = indexOfNul(bytes, start, length, unit);
        } else {
            boolean isBigEndian = type.charset().name().endsWith("BE");
            while (length > 0
                    && WhereInteger.unsigned(bytes, start + (length - 1) * unit, unit, isBigEndian) == ' ') {
                length--;
            }
        }
        return new String(bytes.asSlice(start, length * unit).toArray(JAVA_BYTE), type.charset());
    }

    private static long indexOfNul(MemorySegment bytes, long start, long length, int unit) {
        long index = 0;
        while (index < length && WhereInteger.unsigned(bytes, start + index * unit, unit, false) != 0) {
            index++;
        }
        return index;
    }

    private static boolean find(Pattern pattern, String text) {
        try {
            return pattern.matcher(new LimitedText(text)).find();
        } catch (StackOverflowError e) {
            throw failed(pattern, "needs too much stack", text);
        } catch (LimitedText.TooManyException e) {
            throw failed(pattern, "takes too many steps", text);
        }
    }

    private static UncheckedIOException failed(Pattern pattern, String reason, String text) {
        return new UncheckedIOException(new IOException("the regular expression "
                + PrintableText.shortened(pattern.pattern()) + " " + reason + " for a text of " + text.length()
                + " characters"));
    }

    /// A text that can be read a limited number of times. A regular expression such as `(x|x)+y` backtracks. It could
    /// read a text of a hundred characters for longer than anybody waits.
    private static final class LimitedText implements CharSequence {
        /// An expression that does not backtrack reads each character a few times.
        private static final long STEPS = 10_000_000;
        private static final long STEPS_PER_CHARACTER = 100;

        private final String text;
        private long left;

        LimitedText(String text) {
            this.text = text;
            left = STEPS + STEPS_PER_CHARACTER * text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManyException();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }

        /// Ends a search. This exception has no stack trace.
        static final class TooManyException extends RuntimeException {
            private static final long serialVersionUID = 1L;

            TooManyException() {
                super("Too many steps", null, false, false);
            }
        }
    }
}
