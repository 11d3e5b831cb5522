package dev.arenakit.tool.console;

/// The exit codes of all commands.
public final class ExitCodes {
    /// The command has done what it was asked to do, and found no problem and no difference.
    public static final int OK = 0;
    /// The command has found a problem or a difference, or has failed.
    public static final int PROBLEM = 1;
    /// The command line is wrong.
    public static final int USAGE = 2;
    /// An image could not be read. Commands use this code if their code 1 means that they have found something.
    public static final int UNREADABLE = 3;

    private ExitCodes() {}

    /// The exit code of a command that reports problems itself.
    ///
    /// @param isFine whether the command has reported no problem
    public static int of(boolean isFine) {
        return isFine ? OK : PROBLEM;
    }
}
