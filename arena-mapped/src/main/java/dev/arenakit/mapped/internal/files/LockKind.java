package dev.arenakit.mapped.internal.files;

import dev.arenakit.internal.file.DescriptionLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/// A kind of file locks. A process uses one kind only for the files of a file system. Locks of both kinds exclude each
/// other.
public interface LockKind {
    /// Locks of an open file description. A lock is held until it is closed, whatever else the process does with the
    /// file.
    LockKind DESCRIPTION = new LockKind() {
        @Override
        public Lockable open(Path file, boolean toRead) throws IOException {
            return DescriptionLockable.open(file, toRead);
        }

        @Override
        public boolean isOfDescription() {
            return true;
        }

        @Override
        public boolean mayMeetDescriptionLocks() {
            return true;
        }
    };

    /// Locks of the process, which are lost when the process closes any channel on the file.
    LockKind PROCESS = new LockKind() {
        @Override
        public Lockable open(Path file, boolean toRead) throws IOException {
            return new ProcessLockable(file, toRead ? SafeFiles.openToRead(file) : SafeFiles.open(file));
        }

        @Override
        public boolean isOfDescription() {
            return false;
        }

        @Override
        public boolean mayMeetDescriptionLocks() {
            return DescriptionLock.isKnown();
        }
    };

    /// The kind of locks for a file.
    static LockKind of(Path file) {
        return DescriptionLock.isAvailableFor(file) ? DESCRIPTION : PROCESS;
    }

    /// Opens an existing file.
    ///
    /// @param toRead whether the file is opened to find out whether it is locked; otherwise it is opened to lock it,
    ///               and a symbolic link is not followed
    Lockable open(Path file, boolean toRead) throws IOException;

    /// Whether a lock belongs to an open file description, so that it outlasts other channels on the same file.
    boolean isOfDescription();

    /// Whether other processes may hold locks of open file descriptions.
    boolean mayMeetDescriptionLocks();

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

        /// A path that leads to the open file, if there is one.
        Optional<Path> descriptor() throws IOException;
    }

    /// The file system has no locks, so that it is unknown whether an image has an owner.
    final class NoLocksException extends IOException {
        private static final long serialVersionUID = 1L;

        public NoLocksException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }
}
