package dev.arenakit.tool;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Standard output with a buffer, whose failures can be told from those of what is read.
final class Output extends OutputStream {
    private static final int BUFFER_SIZE = 1 << 16;
    /// Of the mode of a file.
    private static final int TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private final OutputStream target;
    private final boolean hasReader;
    /// Runs before anything is written.
    private final Runnable beforeWriting;
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int buffered;
    private volatile long written;
    private volatile boolean isFlushed = true;
    private volatile boolean isStopped;
    private @Nullable Failure failure;

    /// @param hasReader     whether somebody reads at the other end, who may go
    /// @param beforeWriting runs before anything is written
    Output(OutputStream target, boolean hasReader, Runnable beforeWriting) {
        this.target = target;
        this.hasReader = hasReader;
        this.beforeWriting = beforeWriting;
    }

    /// The standard output of this process.
    static Output ofSystem(Runnable beforeWriting) {
        return new Output(new FileOutputStream(FileDescriptor.out), isPipe(Terminal.STANDARD_OUTPUT), beforeWriting);
    }

    /// How many bytes have been written. May be asked by any thread.
    long byteCount() {
        return written;
    }

    /// The same, but left to itself when it writes: a dump flushes what it has printed to, and there may be many dumps.
    OutputStream withoutFlush() {
        return new FilterOutputStream(this) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                out.write(bytes, from, count);
            }

            @Override
            public void flush() {
                // Whoever has several dumps flushes them together.
            }
        };
    }

    /// Writes no more, since the user has enough. May be called by any thread.
    ///
    /// @return whether something was being written: what has come to its end has been flushed
    boolean stop() {
        isStopped = true;
        return !isFlushed;
    }

    @Override
    public void write(int value) throws IOException {
        if (buffered == BUFFER_SIZE) {
            writeBuffer();
        }
        buffer[buffered++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        if (count > BUFFER_SIZE - buffered) {
            writeBuffer();
        }
        if (count >= BUFFER_SIZE) {
            writeThrough(bytes, from, count);
        } else {
            System.arraycopy(bytes, from, buffer, buffered, count);
            buffered += count;
        }
    }

    @Override
    public void flush() throws IOException {
        writeBuffer();
        try {
            target.flush();
            isFlushed = true;
        } catch (IOException e) {
            throw failed(e, hasReader);
        }
    }

    private void writeBuffer() throws IOException {
        int count = buffered;
        buffered = 0;
        if (count > 0) {
            writeThrough(buffer, 0, count);
        } else if (failure != null) {
            throw failure;
        }
    }

    private void writeThrough(byte[] bytes, int from, int count) throws IOException {
        if (failure != null) {
            throw failure;
        }
        if (isStopped) {
            throw failed(new IOException("Interrupted"), true);
        }
        beforeWriting.run();
        isFlushed = false;
        try {
            target.write(bytes, from, count);
            addWritten(count);
        } catch (IOException e) {
            throw failed(e, hasReader);
        }
    }

    /// What has failed once is not tried again: whoever swallowed the failure, as a [java.io.PrintWriter] does, would otherwise
    /// hide it.
    private Failure failed(IOException e, boolean readerGone) {
        Failure failed = new Failure(e, readerGone);
        failure = failed;
        return failed;
    }

    /// Written by one thread alone.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void addWritten(long count) {
        written += count;
    }

    private static boolean isPipe(Path path) {
        try {
            int type = (int) Files.getAttribute(path, "unix:mode") & TYPE;
            return type == PIPE || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // Not a Unix, or none with such a path: a reader who goes is then reported like a full disk.
            return false;
        }
    }

    /// Standard output cannot be written.
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean readerGone;

        Failure(IOException cause, boolean readerGone) {
            super(cause.getMessage(), cause);
            this.readerGone = readerGone;
        }

        /// What has gone wrong.
        IOException cause() {
            return getCause() instanceof IOException cause ? cause : this;
        }

        /// Whether the reader has seen enough, as `head` has after some lines: nothing else makes writing to a pipe fail.
        /// The message would say it in the language of the user.
        boolean isReaderGone() {
            return readerGone;
        }
    }
}
