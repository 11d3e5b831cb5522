package dev.arenakit.mapped.internal.locks;

import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.mapped.internal.files.SafeFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A kind of file locks. A process uses one kind only for the files of a file system. Locks of both kinds exclude each
/// other.
@FunctionalInterface
public interface LockKind {
    /// Locks of an open file description. A lock is held until it is closed, whatever else the process does with the
    /// file.
    LockKind DESCRIPTION = OfDescription::open;

    /// Locks of the process, which are lost when the process closes any channel on the file.
    LockKind PROCESS = (file, toRead) -> new OfProcess(file, toRead
            ? SafeFiles.openToRead(file)
            : SafeFiles.open(file));

    /// The kind of locks for a file.
    static LockKind of(Path file) {
        return DescriptionLock.isAvailableFor(file) ? DESCRIPTION : PROCESS;
    }

    /// Opens an existing file.
    ///
    /// @param toRead whether the file is opened to find out whether it is locked; otherwise it is opened to lock it,
    ///               and a symbolic link is not followed
    Lockable open(Path file, boolean toRead) throws IOException;

    /// An open file that can be locked.
    interface Lockable extends Closeable {
        /// Tries to lock the file exclusively.
        ///
        /// @throws NoLocksException if the file system has no locks
        boolean tryLock() throws IOException;

        /// Whether somebody else has locked the file exclusively. Only [LockKind#PROCESS] disturbs others, who may be
        /// refused a lock meanwhile.
        ///
        /// @throws NoLocksException if the file system has no locks
        boolean isLockedByAnother() throws IOException;

        /// The process whose lock prevents an exclusive lock, if the system tells it.
        default OptionalLong holder() throws IOException {
            return OptionalLong.empty();
        }

        /// A path that leads to the open file, if there is one.
        default Optional<Path> descriptor() throws IOException {
            return Optional.empty();
        }
    }

    /// The file system has no locks, so that it is unknown whether an image has an owner.
    final class NoLocksException extends IOException {
        private static final long serialVersionUID = 1L;

        public NoLocksException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /// An open file that can be locked whatever else the process does with the file.
    record OfDescription(DescriptionLock lock) implements Lockable {
        static OfDescription open(Path file, boolean toRead) throws IOException {
            try {
                return new OfDescription(toRead ? DescriptionLock.openToRead(file) : DescriptionLock.open(file));
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
                throw new NoLocksException(e);
            }
        }

        @Override
        public boolean isLockedByAnother() throws IOException {
            try {
                return lock.isLockedByAnother();
            } catch (IOException e) {
                throw new NoLocksException(e);
            }
        }

        @Override
        public OptionalLong holder() throws IOException {
            return lock.holder();
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

    /// An open file that can be locked for this process.
    final class OfProcess implements Lockable {
        private final Path file;
        private final FileChannel channel;
        private boolean isLockedByCopy;

        OfProcess(Path file, FileChannel channel) {
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
                throw new NoLocksException(e);
            }
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
}
