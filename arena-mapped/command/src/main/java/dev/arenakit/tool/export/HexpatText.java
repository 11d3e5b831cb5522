package dev.arenakit.tool.export;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.tool.console.PrintableText;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Identifiers, numbers and texts in the pattern language of ImHex. Identifiers have the syntax of C; the keywords
/// differ.
final class HexpatText {
    private static final Set<String> WORDS = Set.of("""
            if else while for match return break continue struct enum union fn bitfield unsigned signed le be parent \
            namespace using this in out ref null const try catch import as is from padding auto any str float double \
            bool char char16 true false sizeof addressof typenameof builtin std _""".split(" "));
    private static final Pattern VALUE = Pattern.compile("[us](8|16|24|32|48|64|96|128)");
    private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_]+");
    private static final Pattern DIGIT = Pattern.compile("[0-9].*");

    private HexpatText() {}

    /// Returns a valid identifier that resembles a name.
    static String identifier(String name) {
        String plain = OTHERS.matcher(name).replaceAll("_");
        if (plain.isEmpty() || DIGIT.matcher(plain).matches()) {
            return "_" + plain;
        }
        return WORDS.contains(plain) || VALUE.matcher(plain).matches() ? plain + "_" : plain;
    }

    /// Returns the number that ImHex reads for a constant. It reads the bits of enums as unsigned.
    static String number(EnumType type, long value) {
        return value < 0 ? hex(value & -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize())) : Long.toString(value);
    }

    /// Returns text in quotes, with escapes, and safe for terminals.
    static String text(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        PrintableText.of(text).codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }

    /// Returns an offset or a size in hexadecimal.
    static String hex(long number) {
        return String.format(Locale.ROOT, "0x%X", number);
    }
}
