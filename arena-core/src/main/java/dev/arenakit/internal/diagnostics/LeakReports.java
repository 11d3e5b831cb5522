package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.Leak;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reports leaks: in the log, as events of JFR, and to a listener.
///
/// Whatever one of them throws, the others are still called, and the caller goes on: it may be about to release memory.
final class LeakReports {
    private LeakReports() {}

    static void report(Leak leak, Consumer<Leak> listener) {
        log(leak);
        try {
            MemoryEvents.leak(leak);
        } catch (Throwable t) {
            warn("The event of a leak could not be made", t);
        }
        try {
            listener.accept(leak);
        } catch (Throwable t) {
            warn("A listener of leaks has failed", t);
        }
    }

    private static void log(Leak leak) {
        try {
            long count = LeakRegistry.count(leak);
            if (count == 1) {
                warn(leak.toString(), null);
            } else if (LeakPlaces.isLogged(count)) {
                warn(leak + System.lineSeparator() + "Leaks with this stack: leaks=" + count + ", nextLogged="
                        + LeakPlaces.FACTOR * count, null);
            }
        } catch (Throwable t) {
            warn("A leak could not be counted", t);
        }
    }

    /// Logs a warning. The logger is not kept in a static field: a program without leaks needs none.
    static void warn(String text, @Nullable Throwable thrown) {
        try {
            System.getLogger("dev.arenakit.leaks").log(System.Logger.Level.WARNING, text, thrown);
        } catch (Throwable t) {
            // The logger of the program has failed: nobody is left to be told.
        }
    }
}
