package dev.arenakit.tool.importing;

import java.io.Closeable;
import java.io.IOException;

/// A new image with one allocation, which gets the rows. The image is removed if it is not completed.
interface ImportTarget extends Closeable {
    /// The number of rows so far. It is the index of the next row, unless the row has one.
    long rows();

    /// Checks that rows can be added.
    ///
    /// @param first the index of the first row
    void check(long first, long count) throws ImportException;

    /// Adds a row.
    void add(long index, byte[] struct) throws IOException, ImportException;

    /// Adds rows that are zero.
    void addZeros(long first, long count) throws ImportException;

    /// Completes the image, and writes it to the device.
    void complete() throws IOException;

    /// The word for a row: `struct` or `entry`.
    String counted(long number);
}
