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

/// Ownership of an image: a lock on `base.lock`, which ends with the process at the latest.
///
/// What is static is the registry of the images that this process owns. A process loses its lock as soon as it closes any
/// channel on the locked file, so that whoever wants to know asks the registry, before the file is opened.
final class ImageLock implements Closeable {
    /// The keys of the lock files that this process holds; also the lock of all that is done here.
    private static final Set<Object> OWNED = new HashSet<>();

    /// Whoever looks whether there is an owner holds a shared lock for microseconds, or until it is scheduled again: an owner to
    /// be meets a second such lock seldom, and as many in a row as a second allows never.
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

    static Path file(Path base) {
        return base.resolveSibling(base.getFileName() + ".lock");
    }

    /// Makes this process the owner of an image.
    ///
    /// @return the lock, or null when the image has an owner, this process or another
    /// @throws IOException when the lock file cannot be made or locked
    static @Nullable ImageLock acquire(Path base) throws IOException {
        Path file = file(base);
        synchronized (OWNED) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                if (OWNED.contains(key(file))) {
                    return null;
                }
                Attempt made = OwnFiles.uninterrupted(() -> tryToAcquire(file));
                if (made.isLast) {
                    return made.lock;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        return null;
    }

    private static Attempt tryToAcquire(Path file) throws IOException {
        FileChannel channel = OwnFiles.openOrCreate(file);
        boolean kept = false;
        try {
            Object key = key(file);
            FileLock exclusive = channel.tryLock();
            if (exclusive == null) {
                // Where even a shared lock is refused, it is an owner's.
                try (FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                    return shared == null ? Attempt.OWNED_BY_OTHER : Attempt.AGAIN;
                }
            }
            // An owner that closes its image deletes the file: what was locked may be no longer what others find.
            if (!key.equals(key(file))) {
                return Attempt.AGAIN;
            }
            OWNED.add(key);
            kept = true;
            return new Attempt(new ImageLock(file, key, channel), true);
        } finally {
            if (!kept) {
                channel.close();
            }
        }
    }

    /// Whether an image has an owner, this process or another.
    ///
    /// @throws IOException when the lock file is there and cannot be looked at
    static boolean isHeld(Path base) throws IOException {
        Path file = file(base);
        synchronized (OWNED) {
            // Where the file is a link, what it leads to is opened, and may be owned.
            if (OWNED.contains(key(file)) || OWNED.contains(keyOf(file))) {
                return true;
            }
            try {
                return OwnFiles.uninterrupted(() -> {
                    try (FileChannel channel = OwnFiles.openToRead(file);
                            FileLock shared = channel.tryLock(0, Long.MAX_VALUE, true)) {
                        return shared == null;
                    }
                });
            } catch (NoSuchFileException _) {
                return false;
            }
        }
    }

    /// Deletes the file. Whoever wants the image before the lock is closed too finds that it is not the one that it has locked.
    void delete() {
        OwnFiles.delete(file);
    }

    /// Gives up the ownership.
    @Override
    public void close() throws IOException {
        synchronized (OWNED) {
            OWNED.remove(key);
            channel.close();
        }
    }

    /// What tells a file from all others, however it is named; a path that stands for no file stands for itself.
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
