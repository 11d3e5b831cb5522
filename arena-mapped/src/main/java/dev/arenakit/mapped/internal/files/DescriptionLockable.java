package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.DescriptionLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/// An open file that can be locked by a [DescriptionLock], whatever else the process does with the file.
final class DescriptionLockable implements LockKind.Lockable {
    private final DescriptionLock lock;

    private DescriptionLockable(DescriptionLock lock) {
        this.lock = lock;
    }

    static DescriptionLockable open(Path file, boolean toRead) throws IOException {
        try {
            return new DescriptionLockable(toRead ? DescriptionLock.openToRead(file) : DescriptionLock.open(file));
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            // The exception of the JDK gives the reason in words.
            (toRead ? SafeFiles.openToRead(file) : SafeFiles.open(file)).close();
            throw e;
        }
    }

    @Override
    public boolean tryLock() throws IOException {
        try {
            return lock.tryLock();
        } catch (IOException e) {
            throw new LockKind.NoLocksException(e);
        }
    }

    @Override
    public boolean isLockedByAnother() throws IOException {
        try {
            return lock.isLockedByAnother();
        } catch (IOException e) {
            throw new LockKind.NoLocksException(e);
        }
    }

    @Override
    public Optional<Path> descriptor() throws IOException {
        return Optional.of(lock.descriptor()).filter(Files::exists);
    }

    @Override
    public void close() {
        lock.close();
    }
}
