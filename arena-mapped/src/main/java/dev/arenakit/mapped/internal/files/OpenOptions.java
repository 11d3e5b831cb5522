package dev.arenakit.mapped.internal.files;

import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/// The options with which files are opened.
public final class OpenOptions {
    /// Creates a file of an image. `CREATE_NEW`, because `CREATE` would follow a symbolic link. Windows needs `SPARSE`;
    /// on other systems files may have holes in any case.
    static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
            StandardOpenOption.WRITE, StandardOpenOption.SPARSE);

    /// Opens a file of an image for reads and writes. A symbolic link is not followed.
    static final Set<OpenOption> EXISTING = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);

    /// Opens a file for reads. A symbolic link is followed.
    public static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

    /// Opens a file for reads and writes. A symbolic link is followed.
    static final Set<OpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    /// Creates a file for writes, or empties it if it exists.
    public static final Set<OpenOption> REPLACE = Set.of(StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);

    private OpenOptions() {}
}
