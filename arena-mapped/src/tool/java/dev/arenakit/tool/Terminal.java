package dev.arenakit.tool;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import picocli.CommandLine.Help.Ansi;

/// What is known of the terminal that the command writes to.
final class Terminal {
    static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    static final Path STANDARD_ERROR = Path.of("/dev/stderr");
    /// Where there is no terminal, or it does not tell.
    static final int USUAL_WIDTH = 80;
    static final int USUAL_HEIGHT = 24;

    private static final int NARROWEST = 20;
    private static final int WIDEST = 1_000;
    private static final int LOWEST = 4;
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
            width = number(sizeBySystem().replaceFirst(".* ", ""));
        }
        return width == 0 ? USUAL_WIDTH : Math.clamp(width, NARROWEST, WIDEST);
    }

    /// How many lines standard output has, where it is a terminal.
    static int height() {
        int height = number(sizeBySystem().replaceFirst(" .*", ""));
        return height == 0 ? USUAL_HEIGHT : Math.clamp(height, LOWEST, WIDEST);
    }

    /// Whether what was printed can be printed over.
    static boolean canMove() {
        return !"dumb".equals(System.getenv("TERM")) && isTerminal(STANDARD_OUTPUT);
    }

    /// Lines and columns, or "". Asks the program that asks the system, which takes some milliseconds: Java has no call for it.
    private static String sizeBySystem() {
        try {
            Process process = new ProcessBuilder("stty", "size").redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroy();
                return "";
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    private static int number(String text) {
        return text.matches("[1-9][0-9]{0,5}") ? Integer.parseInt(text) : 0;
    }
}
