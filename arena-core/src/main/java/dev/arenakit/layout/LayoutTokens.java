package dev.arenakit.layout;

import dev.arenakit.internal.Sizes;
import dev.arenakit.layout.LayoutScanner.Kind;
import dev.arenakit.layout.LayoutScanner.Token;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// The tokens of a text, taken one by one, and the annotations among them.
final class LayoutTokens {
    private static final List<String> WITH_NUMBER = List.of("@align", "@offset", "@size", "@case");
    private static final String WITH_NAME = "@switch";

    /// What stands in the parentheses of an annotation.
    record Argument(Token at, String name, long number) {}

    /// Annotations of one type or member by their names.
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

        ByteOrder order(ByteOrder unsaid) {
            return has("@big") ? ByteOrder.BIG_ENDIAN : has("@little") ? ByteOrder.LITTLE_ENDIAN : unsaid;
        }

        /// Refuses all annotations but one.
        void checkOnly(String name, String expected) {
            arguments.forEach((said, argument) -> {
                if (!said.equals(name)) {
                    throw argument.at().expected(expected);
                }
            });
        }
    }

    private final LayoutScanner scanner;
    /// The next token, the first of which is scanned by the constructor.
    private Token next;

    LayoutTokens(String text) {
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

    /// A number, decimal or hexadecimal. One that begins with 0 would be octal in C, and is refused.
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
                    // Refused below, as what is no number at all.
                }
            }
        }
        throw number.expected("a number of 64 bits, decimal or after 0x");
    }

    /// The first line. What follows it is not looked at before the version is known.
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
            throw version.expected("version " + supported + " of the grammar, the latest that is known");
        }
        take();
        if (next.line() == 1 && next.kind() != Kind.END) {
            throw next.expected("the end of the first line");
        }
    }

    /// The annotations that follow, as far as they are of these names.
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
                throw at.expected("each annotation once, and one order of bytes");
            }
        }
        return new Annotations(arguments);
    }
}
