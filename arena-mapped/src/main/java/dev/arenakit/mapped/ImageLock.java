package dev.arenakit.mapped;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The ownership of an image: a lock on `base.lock`, which the system releases when the process ends.
///
/// The registry of the images that this process owns is static. A process loses its lock when it closes any channel on
/// the locked file. Therefore the registry is checked before the file is opened.
final class ImageLock implements Closeable {
    /// The keys of the lock files that this process has locked. The set is also the monitor of this class.
    private static final Set<Object> OWNED = new HashSet<>();

    /// A process that checks for an owner holds a shared lock for microseconds, or until it is scheduled again. An
    /// attempt to acquire the image rarely fails twice for that reason, and never for a whole second.
    private static final int ATTEMPTS = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private final Path file;
    private final Object key;
    private final FileChannel channel;

    private ImageLock(Path file, Object key, FileChannel channel) {
        this.file = file;
        this.key = key;
        this.channel = channel;
    }

    /// Makes this process the owner of an image.
    ///
    /// @return the lock, or null if this process or another one owns the image
    /// @throws IOException if the lock file cannot be created or locked
    static @Nullable ImageLock acquire(Path base) throws IOException {
        Path file = ImageFiles.lock(base);
        synchronized (OWNED) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (OWNED.contains(key(file))) {
                    return null;
                }
                Attempt made = SafeFiles.uninterrupted(() -> tryToAcquire(file));
                if (made.isLast) {
                    return made.lock;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return null;
    }

    private static Attempt tryToAcquire(Path file) throws IOException {
        FileChannel channel = SafeFiles.openOrCreate(file);
        boolean isOwner = false;
        try {
            Object key = key(file);
            FileLock exclusive = channel.tryLock();
            if (exclusive == null) {
                // If a shared lock is refused, too, an owner holds the exclusive one.
                try (FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                    return shared == null ? Attempt.OWNED_BY_OTHER : Attempt.AGAIN;
                }
            }
            // An owner may delete the lock file when it closes: the locked file may not be the one at this path.
            if (!key.equals(key(file))) {
                return Attempt.AGAIN;
            }
            OWNED.add(key);
            isOwner = true;
            return new Attempt(new ImageLock(file, key, channel), true);
        } finally {
            if (!isOwner) {
                channel.close();
            }
        }
    }

    /// Whether this process owns an image.
    ///
    /// @throws IOException if the lock file exists and its attributes cannot be read
    static boolean isHeldByThisProcess(Path base) throws IOException {
        Path file = ImageFiles.lock(base);
        synchronized (OWNED) {
            // If the file is a link, its target may be owned, too.
            return OWNED.contains(key(file)) || OWNED.contains(keyOf(file));
        }
    }

    /// Whether this process or another one owns an image.
    ///
    /// @throws IOException if the lock file exists and cannot be read
    static boolean isHeld(Path base) throws IOException {
        Path file = ImageFiles.lock(base);
        synchronized (OWNED) {
            if (isHeldByThisProcess(base)) {
                return true;
            }
            try {
                return SafeFiles.uninterrupted(() -> {
                    try (FileChannel channel = SafeFiles.openToRead(file);
                            FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                        return shared == null;
                    }
                });
            } catch (NoSuchFileException _) {
                return false;
            }
        }
    }

    /// Deletes the file. A process that locks the deleted file before this lock is closed detects that, and tries
    /// again.
    void delete() {
        SafeFiles.delete(file);
    }

    /// Releases the image.
    @Override
    public void close() throws IOException {
        synchronized (OWNED) {
            OWNED.remove(key);
            channel.close();
        }
    }

    /// The identity of a file, whatever path leads to it. If there is no file, it is the path.
    private static Object key(Path file) throws IOException {
        return keyOf(file, LinkOption.NOFOLLOW_LINKS);
    }

    private static Object keyOf(Path file, LinkOption... options) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class, options);
            return Objects.requireNonNullElseGet(attributes.fileKey(), () -> file.toAbsolutePath().normalize());
        } catch (NoSuchFileException _) {
            return file.toAbsolutePath().normalize();
        }
    }

    private record Attempt(@Nullable ImageLock lock, boolean isLast) {
        static final Attempt AGAIN = new Attempt(null, false);
        static final Attempt OWNED_BY_OTHER = new Attempt(null, true);
    }
}
