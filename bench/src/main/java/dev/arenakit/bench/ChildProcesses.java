package dev.arenakit.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Ends the processes of a run if the harness is ended meanwhile, for example with Ctrl-C.
///
/// If a benchmark hangs, JMH leaves its JVM behind. That JVM would take processor time from the next run.
final class ChildProcesses {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long STEP_MILLIS = 50;
    // A process that was being started when the harness was ended appears within these steps.
    private static final int QUIET_STEPS = 4;

    private final Set<ProcessHandle> earlier = new HashSet<>();
    private final Thread hook = new Thread(this::end, "end of the child processes");
    private volatile boolean isEnding;

    /// Starts to watch. Existing processes belong to somebody else.
    void watch() {
        ProcessHandle.current().descendants().forEach(earlier::add);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Ends the watch.
    void unwatch() {
        awaitEnd();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // This JVM is being ended, and the hook runs.
        }
    }

    /// Returns at once, or never if this JVM is ending, so that no further process is started.
    void awaitEnd() {
        while (isEnding) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // Nothing is left to do for this thread.
            }
        }
    }

    private void end() {
        isEnding = true;
        long start = System.nanoTime();
        Set<ProcessHandle> asked = new HashSet<>();
        int quiet = 0;
        while (quiet < QUIET_STEPS && System.nanoTime() - start < 2 * PATIENCE_NANOS) {
            List<ProcessHandle> alive = ProcessHandle.current()
                    .descendants()
                    .filter(process -> !earlier.contains(process))
                    .toList();
            for (ProcessHandle process : alive) {
                if (asked.add(process)) {
                    process.destroy();
                } else if (System.nanoTime() - start > PATIENCE_NANOS) {
                    process.destroyForcibly();
                }
            }
            quiet = alive.isEmpty() ? quiet + 1 : 0;
            try {
                Thread.sleep(STEP_MILLIS);
            } catch (InterruptedException e) {
                // Nobody interrupts this thread. The processes must end in any case.
            }
        }
    }
}
