package dev.arenakit.sql.internal;

import java.io.IOException;

/// A scan of a table: the rows that it has not read yet. The threads of the scan take ranges of rows. Thread-safe.
interface TableScan extends AutoCloseable {
    /// Takes the next rows for a thread.
    ///
    /// @return whether there were more rows
    boolean next(ScanThread thread) throws IOException;

    /// The largest number of threads that have work.
    long threads();

    @Override
    void close();
}
