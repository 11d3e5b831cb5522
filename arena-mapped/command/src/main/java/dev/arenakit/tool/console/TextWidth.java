package dev.arenakit.tool.console;

import org.jline.utils.AttributedString;
import org.jline.utils.WCWidth;

/// The number of columns that text takes on a terminal.
public final class TextWidth {
    private static final String ELLIPSIS = "\u2026";
    /// The ellipsis for charsets that lack the Unicode character.
    private static final String PLAIN_ELLIPSIS = "~";

    private TextWidth() {}

    /// The width of text.
    public static int of(String text) {
        return text.codePoints().map(WCWidth::wcwidth).sum();
    }

    /// Replaces the middle of text by an ellipsis if the text is too wide.
    ///
    /// @param width the largest width, at least 1
    public static String shortened(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        String ellipsis = Streams.CHARSET.newEncoder().canEncode(ELLIPSIS) ? ELLIPSIS : PLAIN_ELLIPSIS;
        AttributedString whole = new AttributedString(text);
        AttributedString start = whole.columnSubSequence(0, width / 2);
        int end = whole.columnLength();
        int left = width - start.columnLength() - 1;
        // A character of two columns is taken whole if the first column is the second one of the character.
        AttributedString rest = whole.columnSubSequence(end - left, end);
        return start + ellipsis + (rest.columnLength() > left ? whole.columnSubSequence(end - left + 1, end) : rest);
    }
}
