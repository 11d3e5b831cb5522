package dev.arenakit.mapped.internal.locks;

import dev.arenakit.internal.file.DescriptionLock;
import dev.arenakit.mapped.internal.files.FileErrors;
import dev.arenakit.mapped.internal.files.FileMode;
import dev.arenakit.mapped.internal.files.FileTrust;
import dev.arenakit.mapped.internal.files.ImagePaths;
import dev.arenakit.mapped.internal.files.SafeFiles;
import dev.arenakit.mapped.internal.locks.LockKind.Lockable;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The ownership of an image: a lock on `base.lock`, which the system releases when the process ends.
///
/// On Linux, the catalog is locked, too, so that the image has one owner even if its files are renamed or linked under
/// another base. If locks belong to the process, the owner loses a lock when its process closes any channel on the file.
/// Therefore [OwnedFiles], the registry of this process, is checked before a file is opened.
public final class ImageLock implements Closeable {
    /// Who holds a lock; unknown if the file system has no locks.
    public enum Holder {
        NONE, PROCESS, UNKNOWN
    }

    /// A process that checks for an owner may hold a shared lock for microseconds, or until it is scheduled again. An
    /// attempt to lock a file rarely fails twice for that reason, and never for a whole second.
    private static final int ATTEMPTS = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path base;
    private final Request request;
    private final List<Object> keys = new ArrayList<>();
    private final List<Lockable> files = new ArrayList<>();
    private boolean isLocked;
    private boolean isNew;

    private ImageLock(Path base, Request request) {
        this.base = base;
        this.request = request;
    }

    /// How an image is locked.
    ///
    /// @param mode       the permissions of a new lock file
    /// @param isRequired whether an image without a lock is refused
    /// @param kind       the kind of the locks
    public record Request(FileMode mode, boolean isRequired, LockKind kind) {}

    /// Makes this process the owner of an image, which need not exist yet.
    ///
    /// @return the lock, or null if the image has an owner already
    /// @throws FileTrust.UntrustedException if the lock file is not trusted
    /// @throws LockKind.NoLocksException    if a lock is required and the file system has no locks
    /// @throws HeldException                if a process that is not the owner holds a lock on the file
    /// @throws IOException                  if the lock file cannot be created or opened
    public static @Nullable ImageLock acquire(Path base, Request request) throws IOException {
        ImageLock lock = new ImageLock(base, request);
        boolean isOwner = false;
        try {
            isOwner = lock.repeat(ImagePaths.lock(base), lock::tryToLock);
            return isOwner ? lock : null;
        } finally {
            if (!isOwner) {
                lock.close();
            }
        }
    }

    /// Locks the catalog, which exists and is trusted. Another owner may have locked it under another base.
    ///
    /// @return false if another owner has locked the catalog
    /// @throws HeldException if a process that is not the owner holds a lock on the file
    public boolean lockCatalog() throws IOException {
        return repeat(ImagePaths.catalog(base), this::tryToLockCatalog);
    }

    /// An attempt to lock a file.
    @FunctionalInterface
    private interface Attempt {
        Outcome run(Path path) throws IOException;
    }

    /// Repeats an attempt as long as a process that is not the owner holds a lock on the file. Other threads can lock
    /// other images meanwhile.
    ///
    /// @return whether this process is the owner
    private boolean repeat(Path path, Attempt attempt) throws IOException {
        boolean interrupted = false;
        Outcome outcome = Outcome.AGAIN;
        try {
            for (int attempts = 0; outcome == Outcome.AGAIN && attempts < ATTEMPTS; attempts++) {
                if (attempts > 0) {
                    // An interrupt would end each pause at once.
                    interrupted |= Thread.interrupted();
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                synchronized (OwnedFiles.MONITOR) {
                    outcome = SafeFiles.uninterrupted(() -> attempt.run(path));
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (outcome == Outcome.AGAIN) {
            throw new HeldException(path, holder(path));
        }
        return outcome.isOwner;
    }

    private OptionalLong holder(Path path) throws IOException {
        synchronized (OwnedFiles.MONITOR) {
            try (Lockable opened = request.kind.open(path, false)) {
                return opened.holder();
            }
        }
    }

    private Outcome tryToLock(Path path) throws IOException {
        if (isHeldByThisProcess(base)) {
            return Outcome.OWNED_BY_OTHER;
        }
        isNew |= request.mode.createIfMissing(path);
        try {
            Outcome outcome = tryToOwn(path, request.isRequired);
            isLocked = outcome == Outcome.LOCKED;
            return outcome;
        } catch (NoSuchFileException _) {
            // The owner has deleted the lock file meanwhile.
            return Outcome.AGAIN;
        } catch (LockKind.NoLocksException e) {
            if (isNew) {
                SafeFiles.delete(path);
            }
            throw e;
        }
    }

    private Outcome tryToLockCatalog(Path path) throws IOException {
        if (DescriptionLock.isKnown()) {
            return tryToOwn(path, isLocked);
        }
        // On other systems, nobody could read a catalog that is locked.
        Object key = FileTrust.check(path);
        if (OwnedFiles.contains(key)) {
            return Outcome.OWNED_BY_OTHER;
        }
        register(key);
        return Outcome.LOCKED;
    }

    private Outcome tryToOwn(Path path, boolean isRequired) throws IOException {
        Object key = FileTrust.check(path);
        if (OwnedFiles.contains(key)) {
            return Outcome.OWNED_BY_OTHER;
        }
        Lockable opened = request.kind.open(path, false);
        boolean isOwner = false;
        try {
            Outcome outcome = lock(opened, isRequired);
            if (!outcome.isOwner) {
                return outcome;
            }
            // An owner may delete the lock file when it closes: the locked file may not be the one at this path.
            if (!keyOfOpen(opened, path, key).equals(FileTrust.check(path))) {
                return Outcome.AGAIN;
            }
            files.add(opened);
            isOwner = true;
            register(key);
            return outcome;
        } finally {
            if (!isOwner) {
                opened.close();
            }
        }
    }

    private void register(Object key) {
        // The key is added here first, so that `close` removes it even if the map cannot grow.
        keys.add(key);
        OwnedFiles.add(key, this);
    }

    private static Object keyOfOpen(Lockable file, Path path, Object checked) throws IOException {
        Optional<Path> descriptor = file.descriptor();
        return descriptor.isPresent() ? FileTrust.checkOpen(descriptor.get(), path) : checked;
    }

    private static Outcome lock(Lockable file, boolean isRequired) throws IOException {
        try {
            if (file.tryLock()) {
                return Outcome.LOCKED;
            }
            // If nobody holds the exclusive lock, somebody checks for an owner, or holds a shared lock for long.
            return file.isLockedByAnother() ? Outcome.OWNED_BY_OTHER : Outcome.AGAIN;
        } catch (LockKind.NoLocksException e) {
            if (isRequired) {
                throw e;
            }
            return Outcome.WITHOUT_LOCK;
        }
    }

    /// Whether the system guarantees that there is no other owner.
    public boolean isLocked() {
        return isLocked;
    }

    /// Whether this process owns an image.
    ///
    /// @throws IOException if a file exists and its attributes cannot be read
    public static boolean isHeldByThisProcess(Path base) throws IOException {
        synchronized (OwnedFiles.MONITOR) {
            for (Path file : List.of(ImagePaths.lock(base), ImagePaths.catalog(base))) {
                // If the file is a link, its target may be owned.
                if (OwnedFiles.isOwned(file)) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Returns whether a process holds the lock of an image, with the kind of locks that the system has.
    ///
    /// @throws IOException if the lock file exists and cannot be read
    public static Holder holderOf(Path base) throws IOException {
        return holder(base, LockKind.of(base));
    }

    /// Returns whether a process holds the lock of an image.
    ///
    /// @throws IOException if the lock file exists and cannot be read
    public static Holder holder(Path base, LockKind kind) throws IOException {
        synchronized (OwnedFiles.MONITOR) {
            if (isHeldByThisProcess(base)) {
                return Holder.PROCESS;
            }
            try {
                boolean isLocked = SafeFiles.uninterrupted(() -> isLocked(ImagePaths.lock(base), kind)
                        || (DescriptionLock.isKnown() && isLocked(ImagePaths.catalog(base), kind)));
                return isLocked ? Holder.PROCESS : Holder.NONE;
            } catch (LockKind.NoLocksException _) {
                return Holder.UNKNOWN;
            }
        }
    }

    private static boolean isLocked(Path file, LockKind kind) throws IOException {
        try (Lockable opened = kind.open(file, true)) {
            return opened.isLockedByAnother();
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    /// Deletes the file. A process that locks the deleted file before this lock is closed detects that, and tries
    /// again.
    public void delete() {
        SafeFiles.delete(ImagePaths.lock(base));
    }

    /// Releases an image that could not be created, reopened or deleted. A lock file remains only if it existed before
    /// and the image exists.
    public void discard() {
        try (this) {
            if (isNew || !Files.exists(ImagePaths.catalog(base), LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(ImagePaths.lock(base));
            }
        } catch (IOException _) {
            // The caller reports another exception.
        }
    }

    /// Releases the image.
    @Override
    public void close() throws IOException {
        synchronized (OwnedFiles.MONITOR) {
            keys.forEach(key -> OwnedFiles.remove(key, this));
            for (Lockable file : files.reversed()) {
                file.close();
            }
        }
    }

    /// The exception for an image that has no owner, but cannot be locked.
    public static UncheckedIOException failure(Path file, IOException cause) {
        return switch (cause) {
            case FileTrust.UntrustedException untrusted -> FileErrors.untrusted(untrusted);
            case HeldException held -> new UncheckedIOException(held.getMessage(), held);
            case FileSystemException _ -> FileErrors.create(file, 0, cause);
            default -> new UncheckedIOException(noLock(file, cause)
                    + "; pass a base on a file system with locks, or build the arena with withoutLock() if no other "
                    + "process opens the image", cause);
        };
    }

    /// The message for a file system without locks, without its remedy.
    public static String noLock(Path file, IOException cause) {
        return "Image cannot be locked: path=" + file + ", reason=" + FileErrors.reason(cause);
    }

    private enum Outcome {
        LOCKED(true), WITHOUT_LOCK(true), OWNED_BY_OTHER(false), AGAIN(false);

        private final boolean isOwner;

        Outcome(boolean isOwner) {
            this.isOwner = isOwner;
        }
    }

    /// A process that is not the owner holds a lock on a file of an image, so that the image cannot be locked. Anybody
    /// can do so who may read the file.
    public static final class HeldException extends IOException {
        private static final long serialVersionUID = 1L;

        HeldException(Path file, OptionalLong holder) {
            super("Image cannot be locked: path=" + file
                    + ", reason=a process that does not own the image holds a lock on the "
                    + "file"
                    + (holder.isPresent() ? ", pid=" + holder.getAsLong() : "")
                    + "; end that process, or wait until it has released the lock");
        }
    }
}
