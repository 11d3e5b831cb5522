package dev.arenakit.mapped.io;

import java.nio.file.Path;

/// The kinds of windows that tests open.
public enum WindowKind {
    CACHED_CONFINED, CACHED_SHARED, PORTABLE_CONFINED, PORTABLE_SHARED;

    public static final long WINDOW = 64 << 10;

    /// Windows of 64 KiB. At most four are mapped.
    public MappedWindows.Builder builder(Path path) {
        MappedWindows.Builder builder = MappedWindows.builder(path).windowByteSize(WINDOW).maxByteSize(4 * WINDOW);
        if (!isCached()) {
            builder.portable();
        }
        return isShared() ? builder : builder.confined();
    }

    /// Whether windows stay mapped without a lease.
    boolean isCached() {
        return this == CACHED_CONFINED || this == CACHED_SHARED;
    }

    boolean isShared() {
        return this == CACHED_SHARED || this == PORTABLE_SHARED;
    }

    /// The size of all mappings of windows, in bytes.
    public static long mappedByteSize(MappedWindows windows) {
        return windows.mappedByteSize();
    }
}
