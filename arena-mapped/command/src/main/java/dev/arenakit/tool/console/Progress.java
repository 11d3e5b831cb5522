package dev.arenakit.tool.console;

import dev.arenakit.dump.ExtentSource;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// A line on a terminal that says what a long command does, and how far it is. Another thread shows it, also while the
/// command waits. Other output on the terminal erases it, and so does the end of the process.
public final class Progress {
    private static final int FIRST_SECONDS = 2;
    private static final int REPEAT_MILLIS = 500;

    private final PrintStream terminal;
    private volatile boolean isOn;
    private volatile String work = "";
    private volatile long done;
    private volatile long total;
    private volatile long start;
    private volatile boolean isLineEnd = true;
    /// The length of the line if it is visible.
    private int width;
    private boolean isErasedAtEnd;

    /// @param isOn whether standard error is a terminal; otherwise nothing is shown
    public Progress(PrintStream terminal, boolean isOn) {
        this.terminal = terminal;
        this.isOn = isOn;
        if (isOn) {
            Future<?> _ = ForkJoinPool.commonPool()
                    .scheduleWithFixedDelay(this::show, REPEAT_MILLIS, REPEAT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /// Says what the command does. Commands call this method in their loops.
    ///
    /// @param doing     a word such as `copying`, or "" at the end of the work
    /// @param byteCount the number of bytes so far, or 0 if it is unknown
    /// @param all       the number of all bytes, or 0 if it is unknown
    public void at(String doing, long byteCount, long all) {
        if (!doing.equals(work)) {
            start = System.nanoTime();
        }
        done = byteCount;
        total = all;
        work = doing;
        if (doing.isEmpty()) {
            erase(true);
        }
    }

    /// Returns a source whose reading is shown.
    ///
    /// @param all the number of bytes of all sources that the command reads, or 0 if it is unknown
    public ExtentSource reading(ExtentSource source, String doing, long all) {
        return (sink, skip, limit) -> source.transferTo(new ExtentSource.Sink() {
            @Override
            public void data(MemorySegment bytes) throws IOException {
                at(doing, ByteSizes.sum(done, bytes.byteSize()), all);
                sink.data(bytes);
            }

            @Override
            public void zeros(long byteSize) throws IOException {
                at(doing, ByteSizes.sum(done, byteSize), all);
                sink.zeros(byteSize);
            }
        }, skip, limit);
    }

    private synchronized void show() {
        // First: the work begins no earlier than its name is known.
        String doing = work;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        if (isOn && !doing.isEmpty() && isLineEnd && seconds >= FIRST_SECONDS) {
            if (!isErasedAtEnd) {
                // If the process is ending, the exception ends the schedule.
                Runtime.getRuntime().addShutdownHook(new Thread(this::close));
                isErasedAtEnd = true;
            }
            String line = text(doing, done, total, seconds);
            terminal.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            terminal.flush();
            width = line.length();
        }
    }

    static String text(String work, long done, long total, long seconds) {
        String bytes = done == 0 && total == 0 ? "" : ByteSizes.format(done);
        String share = total == 0
                ? ""
                : " of " + ByteSizes.format(total) + ", " + Math.min(100, (long) (100.0 * done / total)) + " %";
        return "arena: " + work + " " + bytes + share + (bytes.isEmpty() ? "" : ", ") + seconds + " s";
    }

    /// Erases the line, before the terminal gets other output.
    ///
    /// @param endsLine whether the other output ends with a line feed
    synchronized void erase(boolean endsLine) {
        if (width > 0) {
            terminal.print("\r" + " ".repeat(width) + "\r");
            terminal.flush();
            width = 0;
        }
        isLineEnd = endsLine;
    }

    private void close() {
        isOn = false;
        erase(true);
    }
}
