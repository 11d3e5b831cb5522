package dev.arenakit.internal.diagnostics;

import dev.arenakit.diagnostics.Leak;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Reports leaks: to a listener, in the log, and as events of JFR.
final class LeakReports {
    /// Loaded with the first leak: a program without leaks needs no logger.
    private static final class Logs {
        static final System.Logger LOGGER = System.getLogger("dev.arenakit.leaks");
        static final boolean HAS_JFR = hasJfr();

        private Logs() {}

        private static boolean hasJfr() {
            try {
                Class.forName("jdk.jfr.Event", false, LeakReports.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return false;
            }
            // On the module path, the module reads jdk.jfr only if it was present at the start.
            return LeakReports.class.getModule()
                    .canRead(
                            ModuleLayer.boot().findModule("jdk.jfr").orElse(LeakReports.class.getModule()));
        }
    }

    private static final AtomicLong REPORTED = new AtomicLong();

    private LeakReports() {}

    static long count() {
        return REPORTED.get();
    }

    static void noThread(OutOfMemoryError e) {
        Logs.LOGGER.log(System.Logger.Level.WARNING, "No thread looks for leaks: call LeakDetector.check()", e);
    }

    static void report(Leak leak, Consumer<Leak> listener) {
        Logs.LOGGER.log(System.Logger.Level.WARNING, leak::toString);
        if (Logs.HAS_JFR) {
            LeakEvent.commit(leak);
        }
        try {
            listener.accept(leak);
        } catch (Throwable t) {
            Logs.LOGGER.log(System.Logger.Level.WARNING, "A listener of leaks has failed", t);
        }
        // Last: whoever sees the number may end the program.
        REPORTED.incrementAndGet();
    }
}
