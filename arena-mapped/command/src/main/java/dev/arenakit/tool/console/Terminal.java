package dev.arenakit.tool.console;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;

/// The terminal that the streams of a command lead to.
///
/// @param canAsk        whether the user can be asked on standard error, and answers on standard input
/// @param isOutput      whether standard output is a terminal, styled or not: control characters must not reach it
/// @param canMoveCursor whether the command can overwrite what it has printed to standard output
public record Terminal(boolean canAsk, boolean isOutput, boolean canMoveCursor) {
    static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    static final Path STANDARD_ERROR = Path.of("/dev/stderr");

    private static final int MIN_WIDTH = 20;
    private static final int MAX_WIDTH = 1_000;

    /// No terminal.
    public static final Terminal NONE = new Terminal(false, false, false);

    /// Returns the terminal of this process.
    static Terminal ofSystem() {
        boolean isOutput = isTerminal(STANDARD_OUTPUT);
        return new Terminal(isTerminal(STANDARD_INPUT) && isTerminal(STANDARD_ERROR), isOutput,
                isOutput && !"dumb".equals(System.getenv("TERM")));
    }

    /// Whether a stream of this process leads to a terminal, judged by its link in `/dev`. Where there is no such link, as
    /// on Windows, all streams lead to a terminal if standard input and output do.
    static boolean isTerminal(Path stream) {
        if (!Files.exists(stream, LinkOption.NOFOLLOW_LINKS)) {
            Console console = System.console();
            return console != null && console.isTerminal();
        }
        try {
            String device = stream.toRealPath().toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    /// Whether text on standard output is styled.
    static Ansi ansi() {
        return isStyled(System.getenv(), isTerminal(STANDARD_OUTPUT)) ? Ansi.ON : Ansi.OFF;
    }

    /// Whether text is styled. Text is styled on a terminal that supports styles, unless the user's environment says
    /// otherwise.
    static boolean isStyled(Map<String, String> environment, boolean isTerminal) {
        if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
            return false;
        }
        String force = environment.getOrDefault("CLICOLOR_FORCE", "");
        if (!force.isEmpty() && !force.equals("0")) {
            return true;
        }
        return isTerminal && !"dumb".equals(environment.get("TERM")) && !"0".equals(environment.get("CLICOLOR"));
    }

    /// The number of columns of standard output, as the environment or the terminal has it.
    static int width() {
        String columns = System.getenv().getOrDefault("COLUMNS", "");
        if (columns.matches("[1-9][0-9]{0,5}")) {
            return Math.clamp(Integer.parseInt(columns), MIN_WIDTH, MAX_WIDTH);
        }
        // Java has no method for the width: picocli runs a program of the system.
        return CommandSpec.create().usageMessage().autoWidth(isTerminal(STANDARD_OUTPUT)).width();
    }
}
