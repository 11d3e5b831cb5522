package dev.arenakit.tool.console;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Standard output with a buffer. Its failures differ in type from the failures of files that are read.
public final class Output extends BufferedOutputStream {
    private static final int BUFFER_SIZE = 1 << 16;
    /// The file type within the mode of a file.
    private static final int TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    /// @param hasReader whether a process reads at the other end, and may stop reading
    public Output(OutputStream target, boolean hasReader) {
        super(new Target(target, hasReader), BUFFER_SIZE);
    }

    /// Returns the standard output of this process.
    static Output ofSystem(boolean isTerminal, Progress progress) {
        return new Output(new FileOutputStream(FileDescriptor.out) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                if (isTerminal) {
                    progress.erase(false);
                }
                super.write(bytes, from, count);
                if (isTerminal) {
                    progress.erase(bytes[from + count - 1] == '\n');
                }
            }
        }, isPipe(Terminal.STANDARD_OUTPUT));
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

    /// Whether another program reads, or writes, at the other end of a stream.
    static boolean isPipe(Path path) {
        try {
            int type = (int) Files.getAttribute(path, "unix:mode") & TYPE;
            return type == PIPE || type == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            // The system is not a Unix, or lacks this path. The end of a reader is then reported like a full disk.
            return false;
        }
    }

    /// The stream that gets the contents of the buffer. After a failure, all writing fails. Otherwise code that ignores
    /// the failure, as a [java.io.PrintWriter] does, would hide it.
    private static final class Target extends FilterOutputStream {
        private final boolean hasReader;
        private @Nullable Failure failure;

        Target(OutputStream stream, boolean hasReader) {
            super(stream);
            this.hasReader = hasReader;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            flush();
            try {
                out.write(bytes, from, count);
            } catch (IOException e) {
                failure = new Failure(e, hasReader);
                throw failure;
            }
        }

        @Override
        public void flush() throws Failure {
            if (failure != null) {
                throw failure;
            }
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
