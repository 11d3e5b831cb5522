package dev.arenakit.layout.text;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.text.LayoutScanner.Kind;
import dev.arenakit.layout.text.LayoutScanner.Token;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The tokens of a text, one after the other. Numbers, annotations and the version line are read as a whole.
final class LayoutTokenStream {
    private static final List<String> WITH_NUMBER = List.of("@align", "@offset", "@size", "@case");
    private static final String WITH_NAME = "@switch";

    /// The argument of an annotation: a name or a number, or neither.
    record Argument(Token at, String name, long number) {}

    /// The annotations of a type or member, by their names.
    record Annotations(Map<String, Argument> arguments) {
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
        Token number = next;
        if (number.kind() == Kind.NUMBER) {
            String digits = number.text();
            boolean hexadecimal = digits.startsWith("0x");
            if (hexadecimal || digits.length() == 1 || digits.charAt(0) != '0') {
                try {
                    long value = Long.parseLong((negative ? "-" : "") + digits.substring(hexadecimal ? 2 : 0),
                            hexadecimal ? 16 : 10);
                    take();
                    return value;
                } catch (NumberFormatException _) {
                    // It is rejected below.
                }
            }
        }
        throw number.expected("a number of 64 bits, decimal or after 0x");
    }

    /// Reads the first line. No token after it is scanned before the version is known, since it may be of another
    /// grammar.
    void version(int supported, String expected) {
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
        if (!version.is(Integer.toString(supported))) {
            throw version.expected("version " + supported + " of the grammar, the latest that is supported");
        }
        take();
        if (next.line() == 1 && next.kind() != Kind.END) {
            throw next.expected("the end of the first line");
        }
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
                if (at.is("@align") && !Sizes.isPowerOfTwo(argument.number())) {
                    throw number.expected("a power of two");
                }
                take(")");
            } else if (at.is(WITH_NAME)) {
                take("(");
                argument = new Argument(at, takeName("the name of a member").text(), 0);
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
}
