package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.OptionalInt;

/// The user as whom this process creates files. Without privileges, a process cannot change it.
public final class EffectiveUser {
    /// The directory of a process belongs to its effective user.
    private static final Path SELF = Path.of("/proc/self");

    private static final String ID = "unix:uid";

    private EffectiveUser() {}

    /// The number of the user.
    ///
    /// @throws IOException if it cannot be found
    static int id() throws IOException {
        return Found.ID.orElseThrow(() -> new IOException("User of this process is not known: path="
                + System.getProperty("java.io.tmpdir") + "; set java.io.tmpdir to a directory for temporary files"));
    }

    /// Whether a file belongs to the user. A symbolic link is not followed. Where files have no POSIX attributes, every
    /// file does.
    ///
    /// @throws IOException if there is no such file, or the user cannot be found
    public static boolean owns(Path file) throws IOException {
        return !file.getFileSystem().supportedFileAttributeViews().contains("unix")
                || (int) Files.getAttribute(file, ID, LinkOption.NOFOLLOW_LINKS) == id();
    }

    private static final class Found {
        static final OptionalInt ID = find();

        private Found() {}

        private static OptionalInt find() {
            try {
                return OptionalInt.of((int) Files.getAttribute(SELF, EffectiveUser.ID));
            } catch (IOException | UnsupportedOperationException _) {
                // This is not Linux, or `/proc` is not mounted.
            }
            try {
                Path own = Files.createTempFile("arenakit", ".probe");
                try {
                    return OptionalInt.of((int) Files.getAttribute(own, EffectiveUser.ID));
                } finally {
                    Files.delete(own);
                }
            } catch (IOException | UnsupportedOperationException _) {
                return OptionalInt.empty();
            }
        }
    }
}
