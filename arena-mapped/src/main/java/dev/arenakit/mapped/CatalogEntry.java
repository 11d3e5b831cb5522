package dev.arenakit.mapped;

/// An entry of a catalog. The checksum of each entry is valid, except for [Unreadable].
sealed interface CatalogEntry {
    /// An allocation.
    ///
    /// @param file   the number of the data file, or -1 if there is none
    /// @param time   nanoseconds since 1970, or 0 if it is not recorded
    /// @param thread the thread id, or 0 if it is not recorded
    /// @param state  live or ended; any other value is damaged, and counts as live
    record Allocated(int line, int file, long byteOffset, long byteSize, long byteAlignment, int state, long time,
            long thread, Text name, Text type)
            implements
                CatalogEntry {}

    /// A data file.
    record DataFile(int number, long byteSize) implements CatalogEntry {}

    /// A process that has opened the image for writing.
    record Opened(long pid, long started, long opened, String jvm, int state) implements CatalogEntry {}

    /// A text that other entries refer to.
    record Text(int line, String text, long checksum) implements CatalogEntry {
        /// The text that a reference of 0 stands for.
        static final Text NONE = new Text(0, "", 0);
    }

    /// A line whose reservation was cancelled.
    record Cancelled() implements CatalogEntry {}

    /// A line that is empty or damaged.
    ///
    /// @param isFinished whether the writer has finished the entry, which was damaged later; otherwise the writer is
    ///                   still writing, or has died
    record Unreadable(int line, boolean isFinished) implements CatalogEntry {}
}
