package dev.arenakit.tool.console;

/// Text that a terminal shows, and that has no other effect on the terminal.
public final class PrintableText {
    /// The largest length of a text in quotes within a message.
    private static final int MAX_QUOTE = 40;

    private PrintableText() {}

    /// Shortens a text that is quoted in a message, such as a value that the user has typed.
    public static String shortened(String text) {
        return text.length() <= MAX_QUOTE ? text : text.substring(0, MAX_QUOTE) + "...";
    }

    /// Replaces control characters, which can change the state of a terminal, and characters that change the direction
    /// of text or end a line.
    ///
    /// @param text any text, such as a name that an image contains
    /// @return the text with `?` in place of these characters
    public static String of(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return text.codePoints()
                        .map(codePoint -> hasEffect(codePoint) ? '?' : codePoint)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
            }
        }
        return text;
    }

    private static boolean hasEffect(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                true;
            default -> false;
        };
    }
}
