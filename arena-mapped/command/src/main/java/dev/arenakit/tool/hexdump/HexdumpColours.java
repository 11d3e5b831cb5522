package dev.arenakit.tool.hexdump;

import dev.arenakit.tool.console.AnsiCodes;
import dev.arenakit.tool.console.Streams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/// Colours the bytes in lines of `hexdump -C`, and the same bytes as text.
final class HexdumpColours extends OutputStream {
    private static final int BYTES = 16;

    private final OutputStream target;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private HexdumpColours(OutputStream target) {
        this.target = target;
    }

    /// Returns a stream that colours lines, or the target itself if text is not styled.
    static OutputStream of(Streams streams, OutputStream target) {
        return streams.ansi().enabled() ? new HexdumpColours(target) : target;
    }

    @Override
    public void write(int value) throws IOException {
        line.write(value);
        if (value == '\n') {
            target.write(coloured(line.toString(ISO_8859_1)).getBytes(ISO_8859_1));
            line.reset();
        }
    }

    @Override
    public void flush() throws IOException {
        target.flush();
    }

    private static String coloured(String line) {
        int start = line.indexOf(' ') + 2;
        int bar = column(start, BYTES) + 1;
        if (line.length() <= bar) {
            return line;
        }
        StringBuilder text = new StringBuilder(4 * line.length()).append(line, 0, start);
        String[] styles = new String[BYTES];
        String current = "";
        int count = 0;
        for (int at = start; count < BYTES && line.charAt(at) != ' '; at = column(start, count)) {
            styles[count] = style(Integer.parseInt(line, at, at + 2, 16));
            current = change(text, current, styles[count++]);
            text.append(line, at, column(start, count));
        }
        change(text, current, "");
        text.append(line, column(start, count), bar + 1);
        current = "";
        for (int i = 0; i < count; i++) {
            current = change(text, current, styles[i]);
            text.append(line.charAt(bar + 1 + i));
        }
        change(text, current, "");
        return text.append(line, bar + 1 + count, line.length()).toString();
    }

    /// The column of a byte. The second half of a line is one column further to the right.
    private static int column(int start, int index) {
        return start + 3 * index + (index < BYTES / 2 ? 0 : 1);
    }

    /// The style of a byte. The few colours can be read on light and on dark backgrounds.
    private static String style(int value) {
        if (value == 0) {
            return AnsiCodes.DIM;
        }
        if (value > 0x7f) {
            return AnsiCodes.MAGENTA;
        }
        return value < ' ' || value == 0x7f ? AnsiCodes.GREEN : AnsiCodes.CYAN;
    }

    private static String change(StringBuilder text, String from, String to) {
        if (!from.equals(to)) {
            text.append(from.isEmpty() ? "" : AnsiCodes.RESET).append(to);
        }
        return to;
    }
}
