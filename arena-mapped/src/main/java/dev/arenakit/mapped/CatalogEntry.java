package dev.arenakit.mapped;

/// What a reader finds in a catalog. Whatever is not [Unreadable] was written as it stands.
sealed interface CatalogEntry {
    /// An allocation.
    ///
    /// @param file   -1 for none
    /// @param time   in nanoseconds since 1970, 0 where it is not recorded
    /// @param thread 0 where it is not recorded
    /// @param state  live or ended; anything else is damage, and counts as live
    record Allocated(int line, int file, long byteOffset, long byteSize, long byteAlignment, int state, long time,
            long thread, Text name, Text type)
            implements
                CatalogEntry {}

    /// A data file.
    record DataFile(int number, long byteSize) implements CatalogEntry {}

    /// A process that has opened the image to write it.
    record Opened(long pid, long started, long opened, String jvm, int state) implements CatalogEntry {}

    /// A text to which others refer.
    record Text(int line, String text, long checksum) implements CatalogEntry {
        /// What line 0 stands for.
        static final Text NONE = new Text(0, "", 0);
    }

    /// A line that was claimed and given back.
    record Nothing() implements CatalogEntry {}

    /// Lines of which nothing is believed, or that nothing was written to.
    ///
    /// @param isFinished whether a writer seems to have come to its end here, so that what it wrote has changed since; otherwise
    ///                   it is still writing, or has died meanwhile
    record Unreadable(int line, boolean isFinished) implements CatalogEntry {}
}
