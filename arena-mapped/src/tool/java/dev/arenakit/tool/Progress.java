package dev.arenakit.tool;

import java.io.Closeable;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// A line on a terminal that says what takes so long, and how far it is. It comes after a second, goes before anything else is
/// printed, and leaves no trace.
final class Progress {
    private static final long DELAY_MILLIS = 1_000;
    private static final long PERIOD_MILLIS = 200;
    /// To the beginning of the line, and nothing behind it.
    private static final String ERASE = "\r\u001b[K";

    private final PrintStream terminal;
    private final boolean isActive;
    /// Whether what is printed goes to the same terminal, where a line of ours in the middle of it would disturb.
    private final boolean isShared;

    private boolean isShown;
    private boolean isOver;

    private Progress(PrintStream terminal, boolean isActive, boolean isShared) {
        this.terminal = terminal;
        this.isActive = isActive;
        this.isShared = isShared;
    }

    /// A progress that is shown.
    ///
    /// @param isShared whether the output of the command goes to the same terminal
    static Progress on(PrintStream terminal, boolean isShared) {
        return new Progress(terminal, true, isShared);
    }

    /// A progress that nobody sees.
    static Progress none(PrintStream err) {
        return new Progress(err, false, false);
    }

    /// Begins to watch a task that says how far it is.
    ///
    /// @param name of the task, as in `reading prices`
    /// @param unit what is counted, as in `allocations`
    /// @return what ends it
    Task start(String name, String unit) {
        return start(name, unit, () -> 0);
    }

    /// Begins to watch a task whose progress something else tells.
    ///
    /// @param name    of the task, as in `showing trades`
    /// @param unit    what is counted, as in `bytes`
    /// @param counter tells how far it is, in another thread
    /// @return what ends it
    Task start(String name, String unit, LongSupplier counter) {
        Task task = new Task(Streams.printable(name), unit, counter);
        if (isActive) {
            Thread.ofPlatform().daemon().name("progress").start(task::watch);
        }
        return task;
    }

    /// Makes room for what the command prints, which on the same terminal shows by itself how far it is.
    void beforeOutput() {
        if (isShared) {
            end();
        }
    }

    /// Makes room for other text.
    synchronized void clear() {
        if (isShown) {
            isShown = false;
            terminal.print(ERASE);
            terminal.flush();
        }
    }

    /// Shows nothing any more.
    synchronized void end() {
        isOver = true;
        clear();
    }

    /// Returns false where there is nothing to show any more.
    synchronized boolean show(Task shown, long seconds) {
        if (isOver || shown.isEnded) {
            return false;
        }
        terminal.print(ERASE + "arena: " + shown + ", " + seconds + " s");
        terminal.flush();
        isShown = true;
        return true;
    }

    /// Something that takes a while.
    final class Task implements Closeable {
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

        /// Says how far it is.
        void at(long count) {
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
            return count == 0 ? name : name + ", " + ByteSizes.grouped(count) + " " + unit;
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
