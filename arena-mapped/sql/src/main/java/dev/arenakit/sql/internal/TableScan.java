package dev.arenakit.sql.internal;

import java.io.IOException;

/// The rows of a table that one scan has not read yet. The threads of the scan take ranges of them. Thread-safe.
interface TableScan extends AutoCloseable {
    /// Takes the next rows for a thread.
    ///
    /// @return false if there are no more
    boolean next(ScanThread thread) throws IOException;

    /// The largest number of threads that have work.
    long threads();

    @Override
    void close();
}
