package dev.arenakit.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import picocli.CommandLine.Help.Ansi;

/// What is known of the terminal that the command writes to.
final class Terminal {
    static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    static final Path STANDARD_ERROR = Path.of("/dev/stderr");
    /// Where there is no terminal, or it does not tell.
    static final int USUAL_WIDTH = 80;

    private static final int NARROWEST = 20;
    private static final int WIDEST = 1_000;
    private static final int PATIENCE_MILLIS = 500;

    private Terminal() {}

    /// Whether a stream of this process ends at a terminal: where the links of Linux and macOS do.
    static boolean isTerminal(Path stream) {
        try {
            String device = stream.toRealPath().toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether text on standard output is coloured: on a terminal that can, whose user has not said no.
    static Ansi ansi() {
        boolean refused = System.getenv("NO_COLOR") != null || "dumb".equals(System.getenv("TERM"));
        return !refused && isTerminal(STANDARD_OUTPUT) ? Ansi.ON : Ansi.AUTO;
    }

    /// How many columns standard output has.
    static int width() {
        int width = number(System.getenv().getOrDefault("COLUMNS", ""));
        if (width == 0 && isTerminal(STANDARD_OUTPUT)) {
            width = widthBySystem();
        }
        return width == 0 ? USUAL_WIDTH : Math.clamp(width, NARROWEST, WIDEST);
    }

    /// Asks the program that asks the system, which takes some milliseconds: Java has no call for it.
    private static int widthBySystem() {
        try {
            Process process = new ProcessBuilder("stty", "size").redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroy();
                return 0;
            }
            String size = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return number(size.substring(size.indexOf(' ') + 1));
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private static int number(String text) {
        return text.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(text) : 0;
    }
}
