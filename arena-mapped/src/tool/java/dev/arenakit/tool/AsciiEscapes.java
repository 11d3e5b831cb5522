package dev.arenakit.tool;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;

/// Escapes everything in JSON that is not printable ASCII: what is printed may land on a terminal.
final class AsciiEscapes extends CharacterEscapes {
    /// Whatever is behind it is escaped by the generator itself, but for the control character that follows.
    static final int LAST_PRINTABLE = '~';

    private static final long serialVersionUID = 1L;
    private static final int DELETE = LAST_PRINTABLE + 1;

    private final String more;

    AsciiEscapes() {
        this("");
    }

    private AsciiEscapes(String more) {
        this.more = more;
    }

    /// The same for JSON within an element of HTML, which nothing but a `<` can end.
    static AsciiEscapes inHtml() {
        return new AsciiEscapes("<");
    }

    @Override
    public int[] getEscapeCodesForAscii() {
        int[] codes = standardAsciiEscapesForJSON();
        codes[DELETE] = ESCAPE_STANDARD;
        more.chars().forEach(character -> codes[character] = ESCAPE_STANDARD);
        return codes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
        return null;
    }
}
