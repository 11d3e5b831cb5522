package dev.arenakit.tool.where.compiler;

import dev.arenakit.layout.type.StringType;
import dev.arenakit.layout.type.StringType.Padding;
import dev.arenakit.tool.console.PrintableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.function.Predicate;
import java.util.regex.Pattern;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

/// A condition on a text.
public final class WhereTextCondition {
    private final StringType type;
    private final Predicate<String> condition;

    private WhereTextCondition(StringType type, Predicate<String> condition) {
        this.type = type;
        this.condition = condition;
    }

    /// Compares the UTF-16 code units, as [String#compareTo] does.
    public static WhereTextCondition comparison(StringType type, WhereOperator operator, String constant) {
        return new WhereTextCondition(type, text -> operator.accepts(text.compareTo(constant)));
    }

    /// Finds a regular expression in the text.
    public static WhereTextCondition pattern(StringType type, Pattern pattern, boolean isFound) {
        return new WhereTextCondition(type, text -> find(pattern, text) == isFound);
    }

    /// Tests the text at an offset. The compiled predicate calls this method.
    boolean test(MemorySegment bytes, long at) {
        return condition.test(string(type, bytes, at));
    }

    /// Decodes a text as [dev.arenakit.dump.LayoutDump] does. The compiled predicate calls this method.
    static String string(StringType type, MemorySegment bytes, long at) {
        int unit = (int) type.unitByteSize();
        long start = at + type.prefixByteSize();
        long length = type.length();
        if (type.prefixByteSize() > 0) {
            length = Math.min(length, WhereRuntime.unsigned(bytes, at, type.prefixByteSize(),
                    type.prefixOrder() == ByteOrder.BIG_ENDIAN));
        } else if (type.padding() == Padding.NUL) {
            length = indexOfNul(bytes, start, length, unit);
        } else {
            boolean isBigEndian = type.charset().name().endsWith("BE");
            while (length > 0
                    && WhereRuntime.unsigned(bytes, start + (length - 1) * unit, unit, isBigEndian) == ' ') {
                length--;
            }
        }
        return new String(bytes.asSlice(start, length * unit).toArray(JAVA_BYTE), type.charset());
    }

    private static long indexOfNul(MemorySegment bytes, long start, long length, int unit) {
        long index = 0;
        while (index < length && WhereRuntime.unsigned(bytes, start + index * unit, unit, false) != 0) {
            index++;
        }
        return index;
    }

    private static boolean find(Pattern pattern, String text) {
        try {
            return pattern.matcher(new WhereLimitedText(text)).find();
        } catch (StackOverflowError e) {
            throw failed(pattern, "needs too much stack", text);
        } catch (WhereLimitedText.TooManyException e) {
            throw failed(pattern, "takes too many steps", text);
        }
    }

    private static UncheckedIOException failed(Pattern pattern, String reason, String text) {
        return new UncheckedIOException(new IOException("the regular expression "
                + PrintableText.shortened(pattern.pattern()) + " " + reason + " for a text of " + text.length()
                + " characters"));
    }
}
