package dev.arenakit.tool.console;

/// The colours of the states of images and allocations on a terminal.
public final class StateColours {
    private StateColours() {}

    /// The style of a state, a code of [AnsiCodes], or "" if the state needs no attention.
    public static String of(String state) {
        return switch (state) {
            case "open" -> AnsiCodes.GREEN;
            case "died", "unreadable", "missing file", "truncated file", "unreadable file" -> AnsiCodes.RED;
            case "unknown", "no catalog" -> AnsiCodes.YELLOW;
            default -> "";
        };
    }
}
