package dev.arenakit.sql.internal.duckdb;

import dev.arenakit.mapped.internal.files.DirectoryTrust;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.jar.JarEntry;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import org.jspecify.annotations.Nullable;

/// A directory for libraries that were unpacked from jars, so that each library is unpacked once, and not by every
/// process.
///
/// The directory belongs to the user, and no other user may read it or write to it.
final class LibraryCache {
    private static final String TEMPORARY_PREFIX = "unpacking";
    private static final String TEMPORARY_SUFFIX = ".tmp";
    /// No process unpacks for so long.
    private static final Duration ABANDONED_AFTER = Duration.ofDays(1);

    private final Path directory;

    LibraryCache(Path directory) {
        this.directory = directory;
    }

    /// Returns the cache in the directory `arenakit` of the user's cache directory.
    static LibraryCache ofUser() throws IOException {
        return ofUser(System.getenv("XDG_CACHE_HOME"), System.getProperty("user.home"));
    }

    /// @param cache the user's cache directory, if the environment names it
    /// @throws IOException if neither path is absolute
    static LibraryCache ofUser(@Nullable String cache, String home) throws IOException {
        try {
            Path parent = cache != null && Path.of(cache).isAbsolute() ? Path.of(cache) : Path.of(home, ".cache");
            if (!parent.isAbsolute()) {
                // Java reports the home "?" if the user has none.
                throw new IOException("User has no home directory: path=" + home + "; set XDG_CACHE_HOME");
            }
            return new LibraryCache(parent.resolve("arenakit"));
        } catch (InvalidPathException e) {
            throw new IOException("Directory for caches is not a path: " + e.getMessage(), e);
        }
    }

    /// Unpacks an entry of a jar, unless the directory has a file with its checksum.
    ///
    /// @return the path of the file
    /// @throws IOException if the directory is not the user's own, or the entry cannot be unpacked
    Path unpack(URL url, String name) throws IOException {
        if (!(url.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException("Not in a jar: url=" + url);
        }
        connection.setUseCaches(false);
        try (InputStream in = connection.getInputStream()) {
            JarEntry entry = connection.getJarEntry();
            DirectoryTrust.createPrivate(directory);
            Path file = directory.resolve(name + "-" + Long.toHexString(entry.getCrc()) + "-" + entry.getSize());
            if (!isUnpacked(file, entry)) {
                unpack(in, entry, file);
            }
            return file;
        }
    }

    private static boolean isUnpacked(Path file, JarEntry entry) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) != entry.getSize()) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return copy(in, OutputStream.nullOutputStream()) == entry.getCrc();
        }
    }

    private void unpack(InputStream in, JarEntry entry, Path file) throws IOException {
        deleteAbandoned();
        Path temporary = Files.createTempFile(directory, TEMPORARY_PREFIX, TEMPORARY_SUFFIX);
        try {
            long checksum;
            try (OutputStream out = Files.newOutputStream(temporary)) {
                checksum = copy(in, out);
            }
            if (checksum != entry.getCrc()) {
                throw new IOException("Checksum of a jar entry is wrong: entry=" + entry.getName() + ", crc="
                        + Long.toHexString(checksum) + ", expected=" + Long.toHexString(entry.getCrc()));
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Deletes the files of processes that were killed while they unpacked.
    private void deleteAbandoned() throws IOException {
        Instant latest = Instant.now().minus(ABANDONED_AFTER);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory,
                TEMPORARY_PREFIX + "*" + TEMPORARY_SUFFIX)) {
            for (Path file : files) {
                if (Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant().isBefore(latest)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (NoSuchFileException _) {
            // Another process deletes such files, too.
        }
    }

    /// Returns the checksum of the bytes.
    private static long copy(InputStream in, OutputStream out) throws IOException {
        CheckedInputStream checked = new CheckedInputStream(in, new CRC32());
        long _ = checked.transferTo(out);
        return checked.getChecksum().getValue();
    }
}
