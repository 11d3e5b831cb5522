package dev.arenakit.tool.console;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/// Which streams of this process lead to a terminal.
final class Terminal {
    static final Path STANDARD_INPUT = Path.of("/dev/stdin");
    static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
    static final Path STANDARD_ERROR = Path.of("/dev/stderr");

    private Terminal() {}

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
}
