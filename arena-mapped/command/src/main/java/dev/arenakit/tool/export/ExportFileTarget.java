package dev.arenakit.tool.export;

import dev.arenakit.mapped.internal.files.FileReplacement;
import dev.arenakit.tool.console.Output;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A new file as the target of an export. In the end, the file is complete or does not exist, even if the user
/// interrupts the export. Only the owner of the file may read it, as with the files of an image.
final class ExportFileTarget implements ExportTarget, Closeable {
    private static final FileAttribute<?> PRIVATE = PosixFilePermissions
            .asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /// The path that is written to: the path of the export, or a file beside it.
    private final Path written;
    /// Replaces an existing file in the end, or null if there is none.
    private final @Nullable FileReplacement replacement;
    private final FileChannel channel;
    private final Output output;
    private final Thread deletion = new Thread(this::delete, "deletion");
    /// The deletion thread reads this field.
    private volatile boolean isFinished;

    private ExportFileTarget(Path written, @Nullable FileReplacement replacement) throws IOException {
        this.written = written;
        this.replacement = replacement;
        boolean isPosix = written.getFileSystem().supportedFileAttributeViews().contains("posix");
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
                return new ExportFileTarget(path, null);
            }
            if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileSystemException(path.toString(), null, "not a regular file, which is not replaced");
            }
            FileReplacement replacement = FileReplacement.of(path);
            try {
                return new ExportFileTarget(replacement.written(), replacement);
            } catch (Throwable t) {
                replacement.close();
                throw t;
            }
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
            if (replacement != null) {
                replacement.commit();
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
        try {
            if (replacement != null) {
                replacement.close();
            } else if (!isFinished) {
                Files.deleteIfExists(written);
            }
        } catch (IOException | UncheckedIOException e) {
            // The directory has become read-only or does not exist: there is nothing to do.
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
