package dev.arenakit.tool;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Names as Kaitai Struct wants them: small letters, digits and underscores, and a letter in front.
final class KsyNames {
    /// Of YAML and of the expressions of Kaitai Struct, and of languages that it writes without a thought of their words.
    private static final Set<String> RESERVED = Set.of("true", "false", "null", "yes", "no", "on", "off", "not", "and",
            "or",
            "sizeof", "bitsizeof", "as", "assert", "async", "await", "bool", "boolean", "break", "byte", "case",
            "catch",
            "char", "class", "const", "continue", "def", "default", "del", "delete", "do", "double", "elif", "else",
            "enum",
            "except", "extern", "final", "finally", "float", "for", "from", "func", "function", "global", "goto", "if",
            "import", "in", "int", "interface", "is", "lambda", "long", "namespace", "new", "nonlocal",
            "operator",
            "package", "pass", "private", "protected", "public", "raise", "register", "return", "short", "signed",
            "static", "struct", "super", "switch", "template", "this", "throw", "throws",
            "try", "typedef", "union", "unsigned", "using", "var", "virtual", "void", "volatile", "while",
            "with", "yield");

    private static final String HARMLESS = " .,:;-_+=#@()[]";
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z].*");

    private KsyNames() {}

    /// Names in one scope, which stay apart in programs too, where `part_1_2` becomes `part12`.
    static UniqueNames scope() {
        return new UniqueNames(name -> name.replace("_", ""));
    }

    /// A name that is like another, of whatever characters: `maxPrice` becomes `max_price`.
    static String like(String name) {
        String words = HUMP.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
        String plain = OTHERS.matcher(words).replaceAll("_").replaceAll("^_|_$", "");
        if (RESERVED.contains(plain)) {
            return plain + "_";
        }
        return LETTER.matcher(plain).matches() ? plain : "x" + (plain.isEmpty() ? "" : "_" + plain);
    }

    /// Text in quotes, without what could end a comment or a text in any language: Kaitai Struct copies it into comments of the
    /// programs that it writes.
    static String harmless(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints()
                .forEach(c -> quoted.append(
                        (c <= '~' && Character.isLetterOrDigit(c)) || HARMLESS.indexOf(c) >= 0
                                ? Character.toString(c)
                                : "?"));
        return quoted.append('"').toString();
    }
}
