package dev.arenakit.mapped.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file that this process has just created. It is sized and written through the channel that has created it: in a
/// directory that another user may write to, its path may lead to another file meanwhile.
///
/// @param channel  the channel, which is closed with this object
/// @param identity the identity of the file, which the caller [checks][FileIdentity#check()] before it reports success
public record NewFile(FileChannel channel, FileIdentity identity) implements Closeable {
    /// Creates a file that does not exist yet. On failure no file remains.
    ///
    /// @throws FileTrust.UntrustedException if another file has replaced it
    public static NewFile create(Path file, FileMode mode) throws IOException {
        FileChannel channel = mode.create(file);
        try {
            return new NewFile(channel, FileIdentity.of(file));
        } catch (Throwable t) {
            try (channel) {
                Files.deleteIfExists(file);
            }
            throw t;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
