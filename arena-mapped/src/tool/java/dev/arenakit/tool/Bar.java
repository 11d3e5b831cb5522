package dev.arenakit.tool;

import java.nio.charset.Charset;

/// A number as a bar, in blocks where the charset has them.
final class Bar {
    private static final char FULL = '\u2588';
    /// An eighth of a block and more, up to seven.
    private static final String EIGHTHS = "\u258f\u258e\u258d\u258c\u258b\u258a\u2589";
    private static final char PLAIN = '#';

    private final int width;
    private final boolean hasBlocks;

    /// @param width   of the longest bar, in characters
    /// @param charset of the text
    Bar(int width, Charset charset) {
        this.width = width;
        hasBlocks = charset.newEncoder().canEncode(FULL + EIGHTHS);
    }

    /// The bar of a number: nothing for 0, and something for anything else.
    ///
    /// @param most the number whose bar is the longest
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
