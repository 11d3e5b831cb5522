package dev.arenakit.tool;

import java.util.function.IntSupplier;

/// What can be done with a terminal but for colouring text.
///
/// @param canAsk  whether somebody can be asked and answers on standard input
/// @param canMove whether what was printed to standard output can be printed over
/// @param height  the lines of standard output
record Screen(boolean canAsk, boolean canMove, IntSupplier height) {
    /// No terminal.
    static final Screen NONE = new Screen(false, false, () -> Terminal.USUAL_HEIGHT);

    /// That of this process.
    static Screen ofSystem() {
        return new Screen(Terminal.isTerminal(Terminal.STANDARD_INPUT) && Terminal.isTerminal(Terminal.STANDARD_ERROR),
                Terminal.canMove(), Terminal::height);
    }
}
