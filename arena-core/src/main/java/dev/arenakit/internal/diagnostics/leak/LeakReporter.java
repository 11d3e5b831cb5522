package dev.arenakit.internal.diagnostics.leak;

import dev.arenakit.diagnostics.Leak;
import dev.arenakit.internal.diagnostics.event.MemoryEvents;
import dev.arenakit.internal.diagnostics.event.Warnings;
import java.util.List;
import java.util.function.Consumer;

/// Reports leaks: in the log, as events of JFR, and to a listener.
///
/// Whatever one of them throws, the others are still called, and the caller goes on: it may be about to release memory.
final class LeakReporter {
    private LeakReporter() {}

    /// Loads the classes of a report: later, the class loader may be closed. They are not initialized, because there may
    /// be no room on the stack here.
    static void load() {
        List<Class<?>> _ = List.of(Leak.class, Leak.Reason.class, Warnings.class, MemoryEvents.class);
        MemoryEvents.load();
    }

    static void report(Leak leak, Consumer<Leak> listener) {
        log(leak);
        try {
            MemoryEvents.leak(leak);
        } catch (Throwable t) {
            Warnings.ofLeaks("The event of a leak could not be made", t);
        }
        try {
            listener.accept(leak);
        } catch (Throwable t) {
            Warnings.ofLeaks("A listener of leaks has failed", t);
        }
    }

    private static void log(Leak leak) {
        try {
            long count = LeakRegistry.count(leak);
            if (count == 1) {
                Warnings.ofLeaks(leak.toString(), null);
            } else if (LeakPlaces.isLogged(count)) {
                Warnings.ofLeaks(
                        leak + System.lineSeparator() + "Leaks with this stack: leaks=" + count + ", nextLogged="
                                + LeakPlaces.FACTOR * count,
                        null);
            }
        } catch (Throwable t) {
            Warnings.ofLeaks("A leak could not be counted", t);
        }
    }
}
