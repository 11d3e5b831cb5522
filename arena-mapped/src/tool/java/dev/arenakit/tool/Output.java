package dev.arenakit.tool;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Standard output, whose failures can be told from those of what is read.
final class Output extends OutputStream {
    /// Of the mode of a file.
    private static final int TYPE = 0170000;
    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    private final OutputStream target;
    private final boolean hasReader;

    /// @param hasReader whether somebody reads at the other end, who may go
    Output(OutputStream target, boolean hasReader) {
        this.target = target;
        this.hasReader = hasReader;
    }

    /// The standard output of this process, without a buffer.
    static Output ofSystem() {
        return new Output(new FileOutputStream(FileDescriptor.out), isPipe(Path.of("/dev/stdout")));
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[]{(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            target.write(bytes, from, count);
        } catch (IOException e) {
            throw new Failure(e, hasReader);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            target.flush();
        } catch (IOException e) {
            throw new Failure(e, hasReader);
        }
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

        /// Whether the reader has seen enough, as `head` has after some lines: nothing else makes writing to a pipe fail.
        /// The message would say it in the language of the user.
        boolean isReaderGone() {
            return readerGone;
        }
    }
}
