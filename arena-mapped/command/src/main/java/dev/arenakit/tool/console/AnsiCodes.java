package dev.arenakit.tool.console;

/// The ANSI escape sequences that the command writes to terminals.
public final class AnsiCodes {
    public static final String RESET = "\u001b[0m";
    public static final String BOLD = "\u001b[1m";
    public static final String DIM = "\u001b[2m";
    public static final String RED = "\u001b[31m";
    public static final String GREEN = "\u001b[32m";
    public static final String YELLOW = "\u001b[33m";
    public static final String CYAN = "\u001b[36m";

    private AnsiCodes() {}

    /// The style of a state, one of these codes, or "" if the state needs no attention.
    public static String ofState(String state) {
        return switch (state) {
            case "open" -> GREEN;
            case "died", "unreadable", "missing file", "truncated file", "unreadable file" -> RED;
            case "unknown", "no catalog" -> YELLOW;
            default -> "";
        };
    }
}
