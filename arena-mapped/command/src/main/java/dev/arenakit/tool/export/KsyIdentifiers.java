package dev.arenakit.tool.export;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Identifiers in Kaitai Struct, which consist of lower-case letters, digits and underscores, and begin with a letter.
final class KsyIdentifiers {
    /// The keywords of YAML, of the expressions of Kaitai Struct, and of languages whose keywords its code generators
    /// do not avoid.
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

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");
    private static final Pattern OTHERS = Pattern.compile("[^a-z0-9]+");
    private static final Pattern LETTER = Pattern.compile("[a-z].*");

    private KsyIdentifiers() {}

    /// Returns a scope whose identifiers also differ in generated programs, where `part_1_2` becomes `part12`.
    static UniqueNames scope() {
        return new UniqueNames(name -> name.replace("_", ""));
    }

    /// Returns a valid identifier that resembles a name: `maxPrice` becomes `max_price`.
    static String like(String name) {
        String words = HUMP.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
        String plain = OTHERS.matcher(words).replaceAll("_").replaceAll("^_|_$", "");
        if (RESERVED.contains(plain)) {
            return plain + "_";
        }
        return LETTER.matcher(plain).matches() ? plain : "x" + (plain.isEmpty() ? "" : "_" + plain);
    }
}
