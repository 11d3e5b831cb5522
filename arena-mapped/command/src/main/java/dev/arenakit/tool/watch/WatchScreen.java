package dev.arenakit.tool.watch;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.console.TextWidth;
import java.io.IOException;
import java.util.List;

/// Prints lines on a terminal, in place of the previous lines.
final class WatchScreen {
    private final Streams streams;
    private int shown;

    WatchScreen(Streams streams) {
        this.streams = streams;
    }

    /// Prints lines, the first one bold.
    ///
    /// @param width the width of the terminal
    void show(List<String> lines, int width) throws IOException {
        StringBuilder text = new StringBuilder(shown > 0 ? AnsiCodes.up(shown) + "\r" : "");
        for (int i = 0; i < lines.size(); i++) {
            // Terminals begin a new line after the last column.
            String line = TextWidth.cut(PrintableText.of(lines.get(i)), width - 1);
            text.append(i == 0 ? streams.bold(line) : line).append(AnsiCodes.ERASE_TO_END_OF_LINE).append('\n');
        }
        streams.print(text + AnsiCodes.ERASE_TO_END_OF_SCREEN);
        streams.out().flush();
        shown = lines.size();
    }
}
