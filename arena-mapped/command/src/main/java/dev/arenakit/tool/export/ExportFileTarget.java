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

/// A new file as the target of an export. It is written beside its path and then renamed, so that the file is complete
/// or does not exist, even if the user interrupts the export. Only the owner of the file may read it, as with the files
/// of an image.
final class ExportFileTarget implements Closeable {
    private static final String EXISTS = "File exists; --force replaces it";

    private final FileReplacement replacement;
    private final boolean mayReplace;
    private final FileChannel channel;
    private final Output output;
    private final Thread deletion = new Thread(this::delete, "deletion");

    private ExportFileTarget(FileReplacement replacement, boolean mayReplace) throws IOException {
        this.replacement = replacement;
        this.mayReplace = mayReplace;
        channel = FileChannel.open(replacement.written(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        output = new Output(Channels.newOutputStream(channel), false);
        Runtime.getRuntime().addShutdownHook(deletion);
    }

    /// Creates a file.
    ///
    /// @param mayReplace whether the file may replace an existing file
    /// @throws Output.Failure if the file exists and may not be replaced, or cannot be created
    static ExportFileTarget create(Path path, boolean mayReplace) throws Output.Failure {
        try {
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
                    && !(mayReplace && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))) {
                throw new FileSystemException(path.toString(), null, mayReplace
                        ? "not a regular file, which is not replaced"
                        : EXISTS);
            }
            FileReplacement replacement = FileReplacement.of(path);
            try {
                return new ExportFileTarget(replacement, mayReplace);
            } catch (Throwable t) {
                replacement.close();
                throw t;
            }
        } catch (IOException e) {
            throw new Output.Failure(e, false);
        }
    }

    Output output() {
        return output;
    }

    /// Makes a hole.
    void zeros(long byteSize) throws IOException {
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
            if (mayReplace) {
                replacement.commit();
            } else {
                replacement.commitNew();
            }
        } catch (FileAlreadyExistsException e) {
            throw new Output.Failure(new FileSystemException(e.getFile(), null, EXISTS), false);
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
            try {
                Runtime.getRuntime().removeShutdownHook(deletion);
            } catch (IllegalStateException e) {
                // The JVM is shutting down, and the hook is running.
            }
        }
    }

    private void delete() {
        try {
            replacement.close();
        } catch (IOException | UncheckedIOException e) {
            // The directory has become read-only or does not exist: there is nothing to do.
        }
    }
}
