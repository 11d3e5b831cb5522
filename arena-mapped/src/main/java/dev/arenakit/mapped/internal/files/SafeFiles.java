package dev.arenakit.mapped.internal.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Creates files that only their owner may read and write, and opens files without following symbolic links.
public final class SafeFiles {
    /// Opens a file of an image for reads and writes. A symbolic link is not followed.
    static final Set<OpenOption> EXISTING = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);

    /// Opens a file for reads. A symbolic link is followed.
    public static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ);

    /// Opens a file for reads and writes. A symbolic link is followed.
    static final Set<OpenOption> READ_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);

    /// Creates a file for writes, or empties it if it exists.
    public static final Set<OpenOption> REPLACE = Set.of(StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);

    private SafeFiles() {}

    /// Creates a file that does not exist yet, for its owner alone.
    public static FileChannel create(Path file) throws IOException {
        return FileMode.OWNER_ONLY.create(file);
    }

    public static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, EXISTING);
    }

    /// Opens a file for reading, which another user may own. A symbolic link is followed if it belongs to this user or
    /// to root: another user could let it lead to a file that this user alone may read.
    public static FileChannel openToRead(Path file) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return openRegular(file, READ);
        }
        if (Files.isSymbolicLink(file)) {
            FileTrust.checkLink(file);
            return openRegular(file, READ);
        }
        // Another user may replace the file by a link meanwhile.
        return openRegular(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    /// Opens a file that a symbolic link may lead to.
    public static FileChannel openRegular(Path file, boolean writable) throws IOException {
        return openRegular(file, writable ? READ_WRITE : READ);
    }

    private static FileChannel openRegular(Path file, Set<OpenOption> options) throws IOException {
        // Check first: opening a pipe waits for its writer.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("Not a regular file: path=" + file);
        }
        return FileChannel.open(file, options);
    }

    /// Deletes a file if it exists.
    ///
    /// @throws UncheckedIOException if the file cannot be deleted
    public static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileErrors.delete(file, e);
        }
    }

    /// Deletes files if they exist.
    ///
    /// @throws UncheckedIOException if files could not be deleted; all others were
    public static void deleteAll(List<Path> files) {
        UncheckedIOException failure = null;
        for (Path file : files) {
            try {
                delete(file);
            } catch (UncheckedIOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /// Sets the size of an open file. If it grows, the new bytes are a hole.
    public static void setByteSize(FileChannel channel, long byteSize) throws IOException {
        channel.truncate(byteSize);
        growTo(channel, byteSize);
    }

    /// Sets the size of an open file unless it is larger. The new bytes are a hole.
    public static void growTo(FileChannel channel, long byteSize) throws IOException {
        // A mapping without a byte extends the file up to its offset, and does nothing else.
        channel.map(MapMode.READ_WRITE, byteSize, 0);
    }

    /// Stores zeros over a range of an open file, where its bytes are not zero yet. The range may end behind the file.
    public static void clear(FileChannel channel, long from, long to) throws IOException {
        byte[] zeros = new byte[1 << 16];
        ByteBuffer found = ByteBuffer.allocate(zeros.length);
        long at = from;
        while (at < to) {
            int count = channel.read(found.clear().limit((int) Math.min(zeros.length, to - at)), at);
            if (count <= 0) {
                return;
            }
            if (Arrays.mismatch(found.array(), 0, count, zeros, 0, count) >= 0) {
                ByteBuffer stored = ByteBuffer.wrap(zeros, 0, count);
                while (stored.hasRemaining()) {
                    channel.write(stored, at + stored.position());
                }
            }
            at += count;
        }
    }

    /// Runs an action on a new file in the directory of an image, which is deleted afterwards. It has no name of a file
    /// of an image: if the process dies here, the next process must not find a part of an image.
    public static <T> T probe(Path base, Probe<T> action) throws IOException {
        Path file = base.toAbsolutePath().resolveSibling("arenakit" + UUID.randomUUID() + ".probe");
        try (FileChannel channel = create(file)) {
            return action.run(file, channel);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /// Writes the entries of a file's directory to the device, if the system supports that.
    public static void forceDirectory(Path file) throws IOException {
        // Windows cannot open directories.
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            force(file.toAbsolutePath().resolveSibling(""));
        }
    }

    /// Writes the contents of a file to the device.
    public static void force(Path path) throws IOException {
        withChannel(() -> FileChannel.open(path, READ), channel -> {
            channel.force(true);
            return path;
        });
    }

    /* A channel is closed when its thread is interrupted or was interrupted before. Callers do not expect an interrupt
     * to end an allocation, so the interrupt status is cleared and restored. */
    public static <T> T uninterrupted(Action<T> action) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return action.run();
                } catch (ClosedByInterruptException _) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Opens a channel and runs an action on it. If an interrupt closes the channel, both are repeated.
    public static <T> T withChannel(Action<FileChannel> opening, ChannelAction<T> action) throws IOException {
        return uninterrupted(() -> {
            try (FileChannel channel = opening.run()) {
                return action.run(channel);
            }
        });
    }

    /// An action on an open file.
    @FunctionalInterface
    public interface ChannelAction<T> {
        T run(FileChannel channel) throws IOException;
    }

    /// An action on a new file.
    @FunctionalInterface
    public interface Probe<T> {
        T run(Path file, FileChannel channel) throws IOException;
    }

    /// An action that opens its channel on each run.
    @FunctionalInterface
    public interface Action<T> {
        T run() throws IOException;
    }
}
