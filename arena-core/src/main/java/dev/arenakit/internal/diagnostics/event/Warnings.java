package dev.arenakit.internal.diagnostics.event;

import org.jspecify.annotations.Nullable;

/// The warnings of this library. No logger is kept in a static field: most programs need none.
///
/// Whatever the logger of the program throws, the caller goes on: it may be about to release memory.
public final class Warnings {
    private Warnings() {}

    /// Logs a warning about leaks.
    public static void ofLeaks(String text, @Nullable Throwable thrown) {
        log("dev.arenakit.leaks", text, thrown);
    }

    /// Logs what a debug arena has found.
    public static void ofBlocks(Throwable found) {
        log("dev.arenakit.blocks", String.valueOf(found.getMessage()), found);
    }

    private static void log(String name, String text, @Nullable Throwable thrown) {
        try {
            System.getLogger(name).log(System.Logger.Level.WARNING, text, thrown);
        } catch (Throwable t) {
            // The logger of the program has failed: nobody is left to be told.
        }
    }
}
