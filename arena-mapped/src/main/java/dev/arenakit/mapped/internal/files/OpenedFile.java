package dev.arenakit.mapped.internal.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// A file that stays open for reading. The interrupt of a thread that is reading closes a channel for all threads, so
/// that the next read opens the file again. Thread-safe.
public final class OpenedFile implements Closeable {
    private final Opening opening;
    private final FileIdentity identity;
    private volatile FileChannel channel;
    private boolean isClosed;

    private OpenedFile(Path path, Opening opening) throws IOException {
        this.opening = opening;
        identity = FileIdentity.ofAny(path);
        channel = open();
    }

    private interface Opening {
        FileChannel open(Path path) throws IOException;
    }

    /// Opens a file as [SafeFiles#openToRead] does.
    public static OpenedFile toRead(Path path) throws IOException {
        return new OpenedFile(path, SafeFiles::openToRead);
    }

    /// Opens a file that a symbolic link may lead to.
    static OpenedFile regular(Path path) throws IOException {
        return new OpenedFile(path, file -> SafeFiles.openRegular(file, false));
    }

    /// The size in bytes.
    ///
    /// @throws IOException if the file is closed, or if an interrupt has closed its channel and another file has
    ///                     replaced it
    public long size() throws IOException {
        return call(FileChannel::size);
    }

    /// Reads bytes as [FileChannel#read(ByteBuffer, long)] does.
    ///
    /// @throws IOException as [#size()] does, or if the file cannot be read
    public int read(ByteBuffer into, long position) throws IOException {
        int start = into.position();
        return call(open -> open.read(into.position(start), position));
    }

    private interface Call<T> {
        T on(FileChannel open) throws IOException;
    }

    private <T> T call(Call<T> call) throws IOException {
        return SafeFiles.uninterrupted(() -> {
            while (true) {
                FileChannel open = channel();
                try {
                    return call.on(open);
                } catch (ClosedByInterruptException e) {
                    throw e;
                } catch (ClosedChannelException _) {
                    // Another thread was interrupted, or has closed this file.
                }
            }
        });
    }

    private FileChannel channel() throws IOException {
        FileChannel last = channel;
        return last.isOpen() ? last : reopened();
    }

    private synchronized FileChannel reopened() throws IOException {
        if (isClosed) {
            throw new ClosedChannelException();
        }
        if (!channel.isOpen()) {
            channel = open();
        }
        return channel;
    }

    private FileChannel open() throws IOException {
        Path path = identity.path();
        FileChannel opened = opening.open(path);
        try {
            if (FileIdentity.ofAny(path).equals(identity)) {
                return opened;
            }
            throw new IOException("Another file has replaced the file that is read: path=" + path + "; open it again");
        } catch (Throwable t) {
            opened.close();
            throw t;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        isClosed = true;
        channel.close();
    }
}
