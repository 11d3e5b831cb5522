package dev.arenakit.tool.importing;

import dev.arenakit.tool.console.Interruption;
import dev.arenakit.tool.console.Progress.Task;
import dev.arenakit.tool.console.Streams;

/// Reports the rows that cannot be imported, up to a limit.
final class ImportErrors {
    private static final int MOST = 10;

    private final Streams streams;
    private final String source;
    private final Task task;
    private final Interruption interruption;
    private int count;

    /// @param source the name of the file
    ImportErrors(Streams streams, String source, Task task, Interruption interruption) {
        this.streams = streams;
        this.source = source;
        this.task = task;
        this.interruption = interruption;
    }

    void add(long line, ImportException error) {
        count++;
        streams.report(source + ": line " + line + ": " + error.problem());
    }

    /// Reports the progress.
    void progress(long line) {
        interruption.check();
        task.at(line);
    }

    /// Whether further rows are to be checked.
    boolean mayContinue() {
        return count < MOST;
    }

    boolean isEmpty() {
        return count == 0;
    }
}
