package dev.arenakit.mapped.internal.files;

import dev.arenakit.mapped.OwnerState;
import dev.arenakit.mapped.internal.files.LockKind.Lockable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The ownership of an image: a lock on `base.lock`, which the system releases when the process ends.
///
/// If [locks belong to descriptions][LockKind#isOfDescription], the catalog is locked, too, so that the image has one
/// owner even if its files are renamed or linked under another base. Otherwise, the owner loses its lock when its
/// process closes any channel on `base.lock`. Therefore [OwnedFiles], the registry of this process, is checked before
/// the file is opened.
public final class ImageLock implements Closeable {
    /// A process that checks for an owner may hold a shared lock for microseconds, or until it is scheduled again. An
    /// attempt to lock a file rarely fails twice for that reason, and never for a whole second.
    private static final int ATTEMPTS = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path base;
    private final LockKind kind;
    private final Object key;
    private final Lockable file;
    private final boolean isLocked;
    private boolean isNew;
    private @Nullable Object catalogKey;
    private @Nullable Lockable catalog;

    private ImageLock(Path base, LockKind kind, Object key, Lockable file, boolean isLocked) {
        this.base = base;
        this.kind = kind;
        this.key = key;
        this.file = file;
        this.isLocked = isLocked;
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
    /// @throws IOException                  if the lock file cannot be created or opened
    public static @Nullable ImageLock acquire(Path base, Request request) throws IOException {
        Path path = ImagePaths.lock(base);
        synchronized (OwnedFiles.MONITOR) {
            boolean isNew = false;
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (isHeldByThisProcess(base)) {
                    return null;
                }
                isNew |= request.mode.createIfMissing(path);
                try {
                    Attempt made = SafeFiles.uninterrupted(() -> tryToAcquire(base, path, request));
                    if (made.lock != null) {
                        made.lock.isNew = isNew;
                    }
                    if (made.outcome != Outcome.AGAIN) {
                        return made.lock;
                    }
                } catch (NoSuchFileException _) {
                    // The owner has deleted the lock file meanwhile.
                } catch (LockKind.NoLocksException e) {
                    if (isNew) {
                        SafeFiles.delete(path);
                    }
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return null;
    }

    private static Attempt tryToAcquire(Path base, Path path, Request request) throws IOException {
        Object key = FileTrust.check(path);
        Lockable file = request.kind.open(path, false);
        ImageLock lock = null;
        boolean isOwner = false;
        try {
            Outcome outcome = lock(file, request.isRequired);
            // An owner may delete the lock file when it closes: the locked file may not be the one at this path.
            if (!outcome.isOwner || !keyOfOpen(file, path, key).equals(FileTrust.check(path))) {
                return new Attempt(null, outcome.isOwner ? Outcome.AGAIN : outcome);
            }
            lock = new ImageLock(base, request.kind, key, file, outcome == Outcome.LOCKED);
            Attempt made = new Attempt(lock, outcome);
            OwnedFiles.add(key, lock);
            isOwner = true;
            return made;
        } finally {
            if (!isOwner) {
                OwnedFiles.remove(key, lock);
                file.close();
            }
        }
    }

    /// Locks the catalog, which exists and is trusted. Another owner may have locked it under another base.
    ///
    /// @return false if another owner has locked the catalog
    public boolean lockCatalog() throws IOException {
        Path path = ImagePaths.catalog(base);
        synchronized (OwnedFiles.MONITOR) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Outcome outcome = SafeFiles.uninterrupted(() -> tryToLockCatalog(path));
                if (outcome != Outcome.AGAIN) {
                    return outcome.isOwner;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return false;
    }

    private Outcome tryToLockCatalog(Path path) throws IOException {
        Object checked = FileTrust.check(path);
        if (OwnedFiles.contains(checked)) {
            return Outcome.OWNED_BY_OTHER;
        }
        if (!kind.mayMeetDescriptionLocks()) {
            own(checked);
            return Outcome.LOCKED;
        }
        Lockable opened = kind.open(path, false);
        boolean isKept = false;
        try {
            Outcome outcome = lock(opened, isLocked);
            if (outcome.isOwner) {
                FileTrust.checkSame(path, keyOfOpen(opened, path, checked));
                own(checked);
                if (kind.isOfDescription()) {
                    catalog = opened;
                    isKept = true;
                }
            }
            return outcome;
        } finally {
            if (!isKept) {
                opened.close();
            }
        }
    }

    private void own(Object key) {
        // The key is set first, so that `close` removes it even if the map cannot grow.
        catalogKey = key;
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
            // If nobody holds the exclusive lock, somebody checks for an owner.
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

    /// Whether a process owns an image.
    ///
    /// @throws IOException if the lock file exists and cannot be read
    public static OwnerState state(Path base, LockKind kind) throws IOException {
        synchronized (OwnedFiles.MONITOR) {
            if (isHeldByThisProcess(base)) {
                return OwnerState.ALIVE;
            }
            try {
                boolean isLocked = SafeFiles.uninterrupted(() -> isLocked(ImagePaths.lock(base), kind)
                        || (kind.mayMeetDescriptionLocks() && isLocked(ImagePaths.catalog(base), kind)));
                return isLocked ? OwnerState.ALIVE : OwnerState.NONE;
            } catch (LockKind.NoLocksException _) {
                return OwnerState.UNKNOWN;
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
            OwnedFiles.remove(key);
            if (catalogKey != null) {
                OwnedFiles.remove(catalogKey);
            }
            try (Lockable _ = catalog) {
                file.close();
            }
        }
    }

    private enum Outcome {
        LOCKED(true), WITHOUT_LOCK(true), OWNED_BY_OTHER(false), AGAIN(false);

        private final boolean isOwner;

        Outcome(boolean isOwner) {
            this.isOwner = isOwner;
        }
    }

    private record Attempt(@Nullable ImageLock lock, Outcome outcome) {}
}
