package dev.arenakit.tool.console;

/// The number of columns that text takes on a terminal.
public final class TextWidth {
    private static final String ELLIPSIS = "\u2026";
    /// The ellipsis for charsets that lack the Unicode character.
    private static final String PLAIN_ELLIPSIS = "~";
    private static final int FIRST_COMBINING = 0x300;
    /// The first and the last characters of the ranges that take two columns.
    private static final int[] WIDE = {0x1100, 0x115f, 0x2e80, 0xa4cf, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f,
            0xff00, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1faff, 0x20000, 0x3fffd};

    private TextWidth() {}

    /// The width of text.
    public static int of(String text) {
        int width = 0;
        for (int i = 0; i < text.length();) {
            int codePoint = text.codePointAt(i);
            width += of(codePoint);
            i += Character.charCount(codePoint);
        }
        return width;
    }

    /// Replaces the middle of text by an ellipsis if the text is too wide.
    ///
    /// @param width the largest width, at least 1
    public static String shortened(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        String ellipsis = Streams.CHARSET.newEncoder().canEncode(ELLIPSIS) ? ELLIPSIS : PLAIN_ELLIPSIS;
        String start = cut(text, width / 2);
        int left = width - of(start) - 1;
        int from = text.length();
        while (from > 0 && left >= of(text.codePointBefore(from))) {
            left -= of(text.codePointBefore(from));
            from = text.offsetByCodePoints(from, -1);
        }
        return start + ellipsis + text.substring(from);
    }

    /// Returns the beginning of text that is at most as wide as given.
    public static String cut(String text, int width) {
        int columns = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            columns += of(text.codePointAt(i));
            if (columns > width) {
                return text.substring(0, i);
            }
        }
        return text;
    }

    private static int of(int codePoint) {
        if (codePoint < FIRST_COMBINING) {
            return 1;
        }
        if (codePoint < WIDE[0]) {
            return isCombining(codePoint) ? 0 : 1;
        }
        for (int i = 0; i < WIDE.length; i += 2) {
            if (codePoint >= WIDE[i] && codePoint <= WIDE[i + 1]) {
                return 2;
            }
        }
        return isCombining(codePoint) ? 0 : 1;
    }

    private static boolean isCombining(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> true;
            default -> false;
        };
    }
}
