package dev.arenakit.tool.console;

import java.io.Closeable;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// A line on a terminal that shows the current task and its progress. The line appears after a second, and is erased
/// before anything else is printed.
public final class Progress {
    private static final long DELAY_MILLIS = 1_000;
    private static final long PERIOD_MILLIS = 200;
    /// Returns to the beginning of the line, and erases the line.
    private static final String ERASE = "\r" + AnsiCodes.ERASE_TO_END_OF_LINE;

    private final PrintStream terminal;
    private final boolean isActive;
    /// Whether the output of the command goes to the same terminal. This line must not interrupt the output.
    private final boolean isShared;

    private boolean isShown;
    private boolean isOver;

    /// @param isActive whether standard error is a terminal, on which tasks are shown
    /// @param isShared whether the output of the command goes to the same terminal
    public Progress(PrintStream terminal, boolean isActive, boolean isShared) {
        this.terminal = terminal;
        this.isActive = isActive;
        this.isShared = isShared;
    }

    /// Starts a task that reports its progress with [Task#at].
    ///
    /// @param name the name of the task, as in `reading prices`
    /// @param unit the unit of the progress, as in `allocations`
    /// @return the task, which ends when it is closed
    public Task start(String name, String unit) {
        return start(name, unit, () -> 0);
    }

    /// Starts a task whose progress is a counter.
    ///
    /// @param name    the name of the task, as in `showing trades`
    /// @param unit    the unit of the progress, as in `bytes`
    /// @param counter returns the progress; another thread calls it
    /// @return the task, which ends when it is closed
    public Task start(String name, String unit, LongSupplier counter) {
        Task task = new Task(PrintableText.of(name), unit, counter);
        if (isActive) {
            Thread.ofPlatform().daemon().name("progress").start(task::watch);
        }
        return task;
    }

    /// Prepares for output of the command. On the same terminal, the output itself shows the progress after that.
    void beforeOutput() {
        if (isShared) {
            end();
        }
    }

    /// Erases the line.
    synchronized void clear() {
        if (isShown) {
            isShown = false;
            terminal.print(ERASE);
            terminal.flush();
        }
    }

    /// Erases the line, and never shows it again.
    synchronized void end() {
        isOver = true;
        clear();
    }

    /// Shows a task.
    ///
    /// @return whether the task is still to be shown
    synchronized boolean show(Task shown, long seconds) {
        if (isOver || shown.isEnded) {
            return false;
        }
        terminal.print(ERASE + "arena: " + shown + ", " + seconds + " s");
        terminal.flush();
        isShown = true;
        return true;
    }

    /// A task that may take long.
    public final class Task implements Closeable {
        private final String name;
        private final String unit;
        private final LongSupplier counter;
        private volatile long done;
        private volatile boolean isEnded;

        private Task(String name, String unit, LongSupplier counter) {
            this.name = name;
            this.unit = unit;
            this.counter = counter;
        }

        /// Reports the progress.
        public void at(long count) {
            done = count;
        }

        @Override
        public void close() {
            isEnded = true;
            clear();
        }

        @Override
        public String toString() {
            long count = Math.max(done, counter.getAsLong());
            return count == 0
                    ? name
                    : name + ", "
                            + (count == 1 ? "1 " + unit.replaceFirst("s$", "") : Counts.grouped(count) + " " + unit);
        }

        private void watch() {
            long begin = System.nanoTime();
            try {
                Thread.sleep(DELAY_MILLIS);
                while (show(this, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))) {
                    Thread.sleep(PERIOD_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
