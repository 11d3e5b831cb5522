package dev.arenakit.tool.export;

import dev.arenakit.layout.type.EnumType;
import dev.arenakit.layout.type.MemoryType;
import dev.arenakit.layout.type.UnsignedType;
import dev.arenakit.tool.console.PrintableText;
import java.util.Locale;

/// Numbers and texts in the pattern language of ImHex.
final class HexpatLiterals {
    private HexpatLiterals() {}

    /// Returns the number that ImHex reads for a value of an integer or an enum. ImHex reads the bits of enums as
    /// unsigned.
    static String number(MemoryType type, long value) {
        boolean isUnsigned = type instanceof EnumType || type instanceof UnsignedType;
        long mask = -1L >>> (Long.SIZE - Byte.SIZE * type.byteSize());
        return value < 0 && isUnsigned ? hex(value & mask) : Long.toString(value);
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
