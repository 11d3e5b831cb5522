package dev.arenakit.tool.du;

import java.nio.charset.Charset;

/// A number as a bar. The bar consists of block characters if the charset has them.
final class DuBar {
    /// The width of the longest bar on a narrow terminal, in characters.
    static final int MIN_WIDTH = 10;
    /// Longer bars are no easier to compare.
    private static final int MAX_WIDTH = 60;
    private static final char FULL = '\u2588';
    /// Blocks from one eighth to seven eighths.
    private static final String EIGHTHS = "\u258f\u258e\u258d\u258c\u258b\u258a\u2589";
    private static final char PLAIN = '#';

    private final int width;
    private final boolean hasBlocks;

    /// @param width   the width of the longest bar, in characters
    /// @param charset the charset of the output
    DuBar(int width, Charset charset) {
        this.width = width;
        hasBlocks = charset.newEncoder().canEncode(FULL + EIGHTHS);
    }

    /// Returns bars for a column. They may be narrower or wider than the column.
    static DuBar forColumn(int width, Charset charset) {
        return new DuBar(Math.clamp(width, MIN_WIDTH, MAX_WIDTH), charset);
    }

    /// Returns the bar of a number. Only the bar of 0 is empty.
    ///
    /// @param most the number with the longest bar
    String of(long number, long most) {
        if (number <= 0) {
            return "";
        }
        double share = Math.min(1, number / (double) most) * width;
        if (!hasBlocks) {
            return String.valueOf(PLAIN).repeat((int) Math.max(1, Math.round(share)));
        }
        int eighths = (int) Math.max(1, Math.round(share * 8));
        String full = String.valueOf(FULL).repeat(eighths / 8);
        return eighths % 8 == 0 ? full : full + EIGHTHS.charAt(eighths % 8 - 1);
    }
}
