package dev.arenakit.tool;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// A new file as the target of an export: there is a whole one in the end or none, also when the user has interrupted it. As those
/// of an image, nobody else may read it.
final class FileTarget implements ExportTarget, Closeable {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    /// The file that is written: the path itself, or one beside it that takes the place of another in the end.
    private final Path written;
    private final FileChannel channel;
    private final Output output;
    private final Thread deletion = new Thread(this::delete, "deletion");
    /// Read by the thread of the deletion.
    private volatile boolean isFinished;

    private FileTarget(Path path, Path written) throws IOException {
        this.path = path;
        this.written = written;
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        channel = FileChannel.open(written, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                isPosix ? new FileAttribute<?>[]{PRIVATE} : new FileAttribute<?>[0]);
        output = new Output(Channels.newOutputStream(channel), false, () -> {});
        Runtime.getRuntime().addShutdownHook(deletion);
    }

    /// Makes a file.
    ///
    /// @param mayReplace whether it may take the place of another
    /// @throws Output.Failure if there is one and it may not, or from the file system
    static FileTarget create(Path path, boolean mayReplace) throws Output.Failure {
        try {
            if (!mayReplace || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return new FileTarget(path, path);
            }
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(path.toString(), null, "not a regular file, which is not replaced");
            }
            return new FileTarget(path,
                    path.resolveSibling("." + path.getFileName() + "." + ProcessHandle.current().pid()));
        } catch (FileAlreadyExistsException e) {
            throw new Output.Failure(
                    new FileSystemException(path.toString(), null, "File exists; --force replaces it"), false);
        } catch (IOException e) {
            throw new Output.Failure(e, false);
        }
    }

    @Override
    public Output output() {
        return output;
    }

    @Override
    public void zeros(long byteSize) throws IOException {
        output.flush();
        try {
            channel.position(Math.addExact(channel.position(), byteSize));
        } catch (IOException e) {
            throw new Output.Failure(e, false);
        }
    }

    /// Ends the file, and puts it in its place.
    void finish() throws IOException {
        output.flush();
        try {
            if (channel.size() < channel.position()) {
                // It ends in a hole: its last byte gives it its size, and costs a block.
                channel.write(ByteBuffer.allocate(1), channel.position() - 1);
            }
            channel.close();
            if (!written.equals(path)) {
                Files.move(written, path, StandardCopyOption.ATOMIC_MOVE);
            }
            isFinished = true;
        } catch (IOException e) {
            throw new Output.Failure(e, false);
        }
    }

    /// Leaves no file behind that is not finished.
    @Override
    public void close() throws Output.Failure {
        try (channel) {
            delete();
        } catch (IOException e) {
            throw new Output.Failure(e, false);
        } finally {
            removeHook();
        }
    }

    private void delete() {
        if (!isFinished) {
            try {
                Files.deleteIfExists(written);
            } catch (IOException e) {
                // The directory has become read-only or is gone: nothing can be done about it.
            }
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(deletion);
        } catch (IllegalStateException e) {
            // The hook runs already.
        }
    }
}
