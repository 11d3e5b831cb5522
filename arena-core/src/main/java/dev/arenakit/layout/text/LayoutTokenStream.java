package dev.arenakit.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.text.LayoutScanner.Kind;
import dev.arenakit.layout.text.LayoutScanner.Token;
import dev.arenakit.layout.type.StringType;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/// The tokens of a text, one after the other. Numbers, annotations and the version line are read as a whole.
final class LayoutTokenStream {
    private static final List<String> WITH_NUMBER = List.of("@align", "@offset", "@size", "@case", "@bit", "@prefix");
    private static final List<String> WITH_NAME = List.of("@switch", "@count");

    private static final List<Long> PREFIXES = List.of(1L, 2L, 4L);
    private static final String MEMBER = "the name of a member";

    /// The argument of an annotation: a name, a number, both, or neither.
    record Argument(Token at, String name, long number) {}

    /// The annotations of a type or member, by their names.
    record Annotations(Map<String, Argument> arguments) {
        static final Annotations NONE = new Annotations(Map.of());

        boolean has(String name) {
            return arguments.containsKey(name);
        }

        OptionalLong number(String name) {
            Argument argument = arguments.get(name);
            return argument == null ? OptionalLong.empty() : OptionalLong.of(argument.number());
        }

        Optional<String> name(String name) {
            return Optional.ofNullable(arguments.get(name)).map(Argument::name);
        }

        ByteOrder order(ByteOrder otherwise) {
            return has("@big") ? ByteOrder.BIG_ENDIAN : has("@little") ? ByteOrder.LITTLE_ENDIAN : otherwise;
        }

        /// Returns a text with the annotated length before it.
        StringType prefixed(StringType text) {
            Argument prefix = Objects.requireNonNull(arguments.get("@prefix"));
            if (text.padding() == StringType.Padding.SPACE) {
                throw prefix.at().expected("either '@spaces' or '@prefix'");
            }
            int byteSize = (int) prefix.number();
            return text.withPrefix(byteSize, prefix.name().isEmpty()
                    ? ByteOrder.LITTLE_ENDIAN
                    : ByteOrder.BIG_ENDIAN);
        }

        /// Rejects an annotation.
        void checkNone(String name, String expected) {
            Argument argument = arguments.get(name);
            if (argument != null) {
                throw argument.at().expected(expected);
            }
        }

        /// Rejects all annotations but the given one.
        void checkOnly(String name, String expected) {
            arguments.forEach((key, argument) -> {
                if (!key.equals(name)) {
                    throw argument.at().expected(expected);
                }
            });
        }
    }

    private final LayoutScanner scanner;
    /// The next token.
    private Token next;

    LayoutTokenStream(String text) {
        scanner = new LayoutScanner(text);
        next = scanner.next();
    }

    Token peek() {
        return next;
    }

    Token take() {
        Token taken = next;
        next = scanner.next();
        return taken;
    }

    Token take(String sign) {
        if (!next.is(sign)) {
            throw next.expected("'" + sign + "'");
        }
        return take();
    }

    boolean takeIf(String sign) {
        boolean is = next.is(sign);
        if (is) {
            take();
        }
        return is;
    }

    Token takeName(String expected) {
        if (next.kind() != Kind.NAME) {
            throw next.expected(expected);
        }
        return take();
    }

    String takeNameIfAny() {
        return next.kind() == Kind.NAME ? take().text() : "";
    }

    /// Reads a number, decimal or hexadecimal. A number that begins with 0 would be octal in C, and is rejected.
    long takeNumber() {
        boolean negative = takeIf("-");
        return takeNumber(negative, false, "a number of 64 bits, decimal or after 0x");
    }

    /// Reads a number that is not negative and has at most 64 bits, of which the highest is the sign of the result.
    long takeUnsignedNumber() {
        return takeNumber(false, true, "an unsigned number of 64 bits, decimal or after 0x");
    }

    private long takeNumber(boolean negative, boolean unsigned, String expected) {
        Token number = next;
        if (number.kind() == Kind.NUMBER) {
            String digits = number.text();
            boolean hexadecimal = digits.startsWith("0x");
            if (hexadecimal || digits.length() == 1 || digits.charAt(0) != '0') {
                String text = (negative ? "-" : "") + digits.substring(hexadecimal ? 2 : 0);
                int radix = hexadecimal ? 16 : 10;
                try {
                    long value = unsigned ? Long.parseUnsignedLong(text, radix) : Long.parseLong(text, radix);
                    take();
                    return value;
                } catch (NumberFormatException _) {
                    // It is rejected below.
                }
            }
        }
        throw number.expected(expected);
    }

    /// Reads the first line. No token after it is scanned before the version is known, since it may be of another
    /// grammar.
    ///
    /// @param latest the latest version that is supported
    /// @return the version
    int version(int latest, String expected) {
        for (String part : List.of("#", "pragma", "layout")) {
            if (!next.is(part) || next.line() > 1) {
                throw next.expected("'" + expected + "' in the first line");
            }
            next = scanner.next();
        }
        Token version = next;
        if (version.kind() != Kind.NUMBER || version.line() > 1 || !version.text().matches("[1-9][0-9]*")) {
            throw version.expected("the number of a version after '#pragma layout'");
        }
        if (version.text().length() > 1 || version.text().charAt(0) - '0' > latest) {
            throw version.expected("version " + latest + " of the grammar, the latest that is supported");
        }
        take();
        if (next.line() == 1 && next.kind() != Kind.END) {
            throw next.expected("the end of the first line");
        }
        return version.text().charAt(0) - '0';
    }

    /// Reads the annotations that follow, as long as they are among the allowed ones.
    Annotations annotations(String... allowed) {
        Map<String, Argument> arguments = new HashMap<>();
        List<String> names = List.of(allowed);
        while (next.kind() == Kind.ANNOTATION && names.contains(next.text())) {
            Token at = take();
            Argument argument = new Argument(at, "", 0);
            if (WITH_NUMBER.contains(at.text())) {
                take("(");
                Token number = next;
                argument = new Argument(at, "", takeNumber());
                if (at.is("@prefix")) {
                    argument = prefix(argument, number);
                }
                if (at.is("@align") && !Sizes.isPowerOfTwo(argument.number())) {
                    throw number.expected("a power of two");
                }
                take(")");
            } else if (WITH_NAME.contains(at.text())) {
                take("(");
                argument = new Argument(at, path(), 0);
                take(")");
            }
            String other = at.is("@big") ? "@little" : "@big";
            boolean bothOrders = (at.is("@big") || at.is("@little")) && arguments.containsKey(other);
            if (bothOrders || arguments.put(at.text(), argument) != null) {
                throw at.expected("each annotation once, and one byte order");
            }
        }
        return new Annotations(arguments);
    }

    private String path() {
        StringBuilder path = new StringBuilder(takeName(MEMBER).text());
        while (takeIf(".")) {
            path.append('.').append(takeName(MEMBER).text());
        }
        return path.toString();
    }

    private Argument prefix(Argument argument, Token number) {
        if (!PREFIXES.contains(argument.number())) {
            throw number.expected("1, 2 or 4");
        }
        if (!takeIf(",")) {
            return argument;
        }
        return new Argument(argument.at(), take("big").text(), argument.number());
    }
}
