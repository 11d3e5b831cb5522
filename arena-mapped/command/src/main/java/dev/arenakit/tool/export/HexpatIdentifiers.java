package dev.arenakit.tool.export;

import java.util.Set;
import java.util.regex.Pattern;

/// Identifiers in the pattern language of ImHex. They have the syntax of identifiers in C; the keywords differ.
final class HexpatIdentifiers {
    private static final Set<String> WORDS = Set.of("if", "else", "while", "for", "match", "return", "break",
            "continue",
            "struct", "enum", "union", "fn", "bitfield", "unsigned", "signed", "le", "be", "parent", "namespace",
            "using",
            "this", "in", "out", "ref", "null", "const", "try", "catch", "import", "as", "is", "from", "padding",
            "auto",
            "any", "str", "float", "double", "bool", "char", "char16", "true", "false", "sizeof", "addressof",
            "typenameof",
            "builtin", "std", "_");
    private static final Pattern VALUE = Pattern.compile("[us](8|16|24|32|48|64|96|128)");
    private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_]+");
    private static final Pattern DIGIT = Pattern.compile("[0-9].*");

    private HexpatIdentifiers() {}

    /// Returns a valid identifier that resembles a name.
    static String like(String name) {
        String plain = OTHERS.matcher(name).replaceAll("_");
        if (plain.isEmpty() || DIGIT.matcher(plain).matches()) {
            return "_" + plain;
        }
        return WORDS.contains(plain) || VALUE.matcher(plain).matches() ? plain + "_" : plain;
    }
}
