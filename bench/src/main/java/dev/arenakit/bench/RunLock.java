package dev.arenakit.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A lock that a run holds while it measures, since two runs on one machine disturb each other. The system releases it
/// when the process ends, however it ends.
///
/// JMH has a lock, too, but only the user who created its file can take it.
///
/// @param channel the file
/// @param lock    the lock; null if the file system has no locks, or this user may not use the file
record RunLock(@Nullable FileChannel channel, @Nullable FileLock lock) implements AutoCloseable {
    /// The file for all users of this machine.
    static final Path FILE = Path.of(System.getProperty("java.io.tmpdir"), "arenakit-bench.lock");

    /// Takes the lock.
    ///
    /// @return the lock; empty if another run holds it
    static Optional<RunLock> tryAcquire(Path file) {
        FileChannel channel = null;
        try {
            create(file);
            channel = FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return Optional.of(new RunLock(channel, lock));
            }
        } catch (OverlappingFileLockException _) {
            // Another run in this process holds the lock.
        } catch (IOException _) {
            // The file cannot be locked. The run goes on without a lock.
            return Optional.of(new RunLock(channel, null));
        }
        new RunLock(channel, null).close();
        return Optional.empty();
    }

    /// Creates the file if it does not exist. The permissions are set afterwards, since the permissions at creation are
    /// masked.
    private static void create(Path file) throws IOException {
        try {
            if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
                Files.createFile(file);
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
            }
        } catch (FileAlreadyExistsException _) {
            // Another run has just created it.
        } catch (UnsupportedOperationException _) {
            // The system is not POSIX: each user has a separate directory for temporary files.
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException _) {
            // The end of the process releases the lock.
        }
    }
}
