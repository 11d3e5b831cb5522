package dev.arenakit.tool.where;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.tool.where.WhereExpression.Operand;
import dev.arenakit.tool.where.compiler.WhereCondition.Always;
import dev.arenakit.tool.where.compiler.WhereCondition.BytesCheck;
import dev.arenakit.tool.where.compiler.WhereCondition.Check;
import dev.arenakit.tool.where.compiler.WhereCondition.TextCheck;
import dev.arenakit.tool.where.compiler.WhereOperator;
import dev.arenakit.tool.where.compiler.WhereTextCondition;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// Compares texts with constants.
final class WhereTextBinder {
    /// The largest number of bytes that are compared without decoding the text.
    private static final int MAX_BYTES = 32;
    /// Decoding replaces malformed bytes by this character.
    private static final char REPLACEMENT = '\ufffd';

    private WhereTextBinder() {}

    static Check check(StringType type, WhereOperator operator, Operand constant) throws WhereException {
        if (!(constant instanceof WhereExpression.Quoted quoted)) {
            throw new WhereException(constant.column(), "expected a text in quotes: the field is a text");
        }
        if (operator.isMatching()) {
            return new TextCheck(WhereTextCondition.pattern(type, pattern(quoted), operator == WhereOperator.MATCHES));
        }
        String text = unescape(quoted);
        return operator.isEquality()
                ? equality(type, operator == WhereOperator.EQUAL, text)
                : new TextCheck(WhereTextCondition.comparison(type, operator, text));
    }

    /// Compiles a regular expression. This grammar escapes only the quote in it.
    private static Pattern pattern(WhereExpression.Quoted quoted) throws WhereException {
        try {
            return Pattern.compile(quoted.escaped());
        } catch (PatternSyntaxException e) {
            throw new WhereException(quoted.column(), "no regular expression: " + e.getDescription()
                    + (e.getIndex() < 0 ? "" : " near index " + e.getIndex()));
        }
    }

    static String unescape(WhereExpression.Quoted quoted) throws WhereException {
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

    private static Check equality(StringType type, boolean isEqual, String text) {
        Check decoding = new TextCheck(WhereTextCondition.comparison(type,
                isEqual ? WhereOperator.EQUAL : WhereOperator.NOT_EQUAL, text));
        if (type.prefixByteSize() > 0 || text.indexOf(REPLACEMENT) >= 0) {
            return decoding;
        }
        List<Byte> bytes = new ArrayList<>();
        try {
            ByteBuffer encoded = type.charset()
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .encode(CharBuffer.wrap(text));
            while (encoded.hasRemaining()) {
                bytes.add(encoded.get());
            }
        } catch (CharacterCodingException e) {
            return new Always(!isEqual);
        }
        boolean hasSpaces = type.padding() == Padding.SPACE;
        boolean isImpossible = hasSpaces ? text.endsWith(" ") : text.indexOf('\0') >= 0;
        if (isImpossible || bytes.size() > type.byteSize()) {
            return new Always(!isEqual);
        }
        long wanted = hasSpaces ? type.byteSize() : Math.min(type.byteSize(), bytes.size() + type.unitByteSize());
        if (wanted > MAX_BYTES) {
            return decoding;
        }
        boolean isBigEndian = type.charset().name().endsWith("BE");
        while (bytes.size() < wanted) {
            boolean isLowByte = type.unitByteSize() == 1 || bytes.size() % 2 == (isBigEndian ? 1 : 0);
            bytes.add((byte) (hasSpaces && isLowByte ? ' ' : 0));
        }
        return new BytesCheck(List.copyOf(bytes), isEqual);
    }
}
