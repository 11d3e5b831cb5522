package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An open file that can be locked for this process.
final class ProcessLockable implements LockKind.Lockable {
    private final Path file;
    private final FileChannel channel;
    private boolean isLockedByCopy;

    ProcessLockable(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    @Override
    public boolean tryLock() throws IOException {
        return lock(false) != null;
    }

    @Override
    public boolean isLockedByAnother() throws IOException {
        try (FileLock shared = lock(true)) {
            return shared == null;
        }
    }

    private @Nullable FileLock lock(boolean shared) throws IOException {
        try {
            return channel.tryLock(0, Long.MAX_VALUE, shared);
        } catch (OverlappingFileLockException _) {
            isLockedByCopy = true;
            return null;
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (IOException e) {
            throw new LockKind.NoLocksException(e);
        }
    }

    @Override
    public Optional<Path> descriptor() {
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        if (isLockedByCopy) {
            // A copy of this class, which another class loader has loaded, would lose its lock.
            OwnedFiles.keepOpen(file, channel);
        } else {
            channel.close();
        }
    }
}
