package dev.arenakit.tool.export;

import dev.arenakit.tool.console.Output;
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

/// A new file as the target of an export. In the end, the file is complete or does not exist, even if the user
/// interrupts the export. Only the owner of the file may read it, as with the files of an image.
final class ExportFileTarget implements ExportTarget, Closeable {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    /// The path that is written to: the path of the export, or a file beside it, which replaces an existing file in the
    /// end.
    private final Path written;
    private final FileChannel channel;
    private final Output output;
    private final Thread deletion = new Thread(this::delete, "deletion");
    /// The deletion thread reads this field.
    private volatile boolean isFinished;

    private ExportFileTarget(Path path, Path written) throws IOException {
        this.path = path;
        this.written = written;
        boolean isPosix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        channel = FileChannel.open(written, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                isPosix ? new FileAttribute<?>[]{PRIVATE} : new FileAttribute<?>[0]);
        output = new Output(Channels.newOutputStream(channel), false, () -> {});
        Runtime.getRuntime().addShutdownHook(deletion);
    }

    /// Creates a file.
    ///
    /// @param mayReplace whether the file may replace an existing file
    /// @throws Output.Failure if the file exists and may not be replaced, or cannot be created
    static ExportFileTarget create(Path path, boolean mayReplace) throws Output.Failure {
        try {
            if (!mayReplace || !Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return new ExportFileTarget(path, path);
            }
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(path.toString(), null, "not a regular file, which is not replaced");
            }
            return new ExportFileTarget(path,
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

    /// Completes the file, and moves it to its path.
    void finish() throws IOException {
        output.flush();
        try {
            if (channel.size() < channel.position()) {
                // The file ends with a hole. Writing the last byte sets the size of the file, and allocates a block.
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

    /// Deletes the file if it is not complete.
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
                // The directory has become read-only or does not exist: there is nothing to do.
            }
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(deletion);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook is running.
        }
    }
}
