package dev.arenakit.tool.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Standard output with a buffer. Its failures differ in type from the failures of files that are read.
public final class Output extends OutputStream {
    private static final int BUFFER_SIZE = 1 << 16;
    /// The file type within the mode of a file.
    private static final int TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private final OutputStream target;
    private final boolean hasReader;
    /// An action that runs before each write.
    private final Runnable beforeWriting;
    private final byte[] buffer = new byte[BUFFER_SIZE];
    private int buffered;
    private volatile long written;
    private volatile boolean isFlushed = true;
    private volatile boolean isStopped;
    private @Nullable Failure failure;

    /// @param hasReader     whether a process reads at the other end, and may stop reading
    /// @param beforeWriting an action that runs before each write
    public Output(OutputStream target, boolean hasReader, Runnable beforeWriting) {
        this.target = target;
        this.hasReader = hasReader;
        this.beforeWriting = beforeWriting;
    }

    /// Returns the standard output of this process.
    static Output ofSystem(Runnable beforeWriting) {
        return new Output(new FileOutputStream(FileDescriptor.out), isPipe(Terminal.STANDARD_OUTPUT), beforeWriting);
    }

    /// The number of bytes that have been written. Any thread may call this method.
    public long byteCount() {
        return written;
    }

    /// Returns a view of this output that ignores flushing: each of many dumps would flush the output at its end.
    public OutputStream withoutFlush() {
        return new FilterOutputStream(this) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                out.write(bytes, from, count);
            }

            @Override
            public void flush() {
                // The command flushes at its end.
            }
        };
    }

    /// Stops all writing, because the user has interrupted the command. Any thread may call this method.
    ///
    /// @return whether the command was writing: a command that has ended has flushed its output
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

    /// After a failure, all writing fails. Otherwise code that ignores the failure, as a [java.io.PrintWriter] does,
    /// would hide it.
    private Failure failed(IOException e, boolean readerGone) {
        Failure failed = new Failure(e, readerGone);
        failure = failed;
        return failed;
    }

    /// Only one thread writes this field.
    @SuppressWarnings("NonAtomicVolatileUpdate")
    private void addWritten(long count) {
        written += count;
    }

    private static boolean isPipe(Path path) {
        try {
            int type = (int) Files.getAttribute(path, "unix:mode") & TYPE;
            return type == PIPE || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // The system is not a Unix, or lacks this path. The end of a reader is then reported like a full disk.
            return false;
        }
    }

    /// Standard output cannot be written.
    public static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;

        private final boolean readerGone;

        public Failure(IOException cause, boolean readerGone) {
            super(cause.getMessage(), cause);
            this.readerGone = readerGone;
        }

        /// The exception of the system.
        public IOException cause() {
            return getCause() instanceof IOException cause ? cause : this;
        }

        /// Whether the reader has ended, as `head` does after some lines: nothing else makes writing to a pipe fail.
        /// The message of the exception depends on the language of the user and cannot be checked.
        public boolean isReaderGone() {
            return readerGone;
        }
    }
}
