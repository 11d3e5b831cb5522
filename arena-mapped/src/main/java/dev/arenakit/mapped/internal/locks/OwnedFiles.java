package dev.arenakit.mapped.internal.locks;

import dev.arenakit.mapped.internal.files.FileTrust;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

/// The registry of the lock files and catalogs that this process owns.
///
/// The registry is static because the system grants [locks of the process][LockKind#PROCESS] to the whole process: if
/// any of its code closes a channel on a locked file, the lock is lost. Therefore the registry is checked before such a
/// file is opened.
final class OwnedFiles {
    /// The monitor of the registry. All methods are called while it is held, except for [#keepOpen].
    static final Object MONITOR = new Object();

    /// The owners by the keys of their files. The map refers to the channels of arenas that the program has lost: the
    /// garbage collector would close them.
    private static final Map<Object, Object> OWNERS = new HashMap<>();

    /// Channels on files that a copy of this class has locked, which another class loader has loaded. They stay open,
    /// because closing them would release its lock.
    private static final Map<Object, FileChannel> LOCKED_BY_COPY = new HashMap<>();

    private OwnedFiles() {}

    /// Adds a file.
    ///
    /// @param key   the identity of the file
    /// @param owner the object that holds the lock
    static void add(Object key, Object owner) {
        OWNERS.put(key, owner);
    }

    /// Removes a file if it has the given owner.
    static void remove(Object key, Object owner) {
        OWNERS.remove(key, owner);
    }

    /// Whether the file with a key was added.
    static boolean contains(Object key) {
        return OWNERS.containsKey(key);
    }

    /// Whether this process owns a file, or the target of a symbolic link.
    ///
    /// @throws IOException if the file exists and its attributes cannot be read
    static boolean isOwned(Path file) throws IOException {
        Object key = keyOf(file);
        return OWNERS.containsKey(key) || isLockedByCopy(key);
    }

    /// Keeps a channel open that must not be closed, because a copy of this class has locked its file.
    static void keepOpen(Path file, FileChannel channel) throws IOException {
        synchronized (MONITOR) {
            if (LOCKED_BY_COPY.putIfAbsent(keyOf(file), channel) != null) {
                LOCKED_BY_COPY.put(channel, channel);
            }
        }
    }

    private static boolean isLockedByCopy(Object key) throws IOException {
        FileChannel channel = LOCKED_BY_COPY.get(key);
        if (channel == null) {
            return false;
        }
        try (FileLock _ = channel.tryLock(0, Long.MAX_VALUE, true)) {
            LOCKED_BY_COPY.remove(key);
        } catch (OverlappingFileLockException _) {
            return true;
        }
        channel.close();
        return false;
    }

    /// The identity of a file, whatever path leads to it. If there is no file, its identity is the path.
    private static Object keyOf(Path file) throws IOException {
        try {
            return FileTrust.keyOf(Files.readAttributes(file, BasicFileAttributes.class), file);
        } catch (NoSuchFileException _) {
            return file.toAbsolutePath().normalize();
        }
    }
}
