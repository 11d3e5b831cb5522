package dev.arenakit.tool;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/// Standard output, whose failures can be told from those of what is read.
final class Output extends OutputStream {
    private final OutputStream target;

    Output(OutputStream target) {
        this.target = target;
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
            throw new Failure(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            target.flush();
        } catch (IOException e) {
            throw new Failure(e);
        }
    }

    /// Standard output cannot be written.
    static final class Failure extends IOException {
        private static final long serialVersionUID = 1L;
        private static final int FILE_TYPE = 0170000;
        private static final int PIPE = 0010000;

        Failure(IOException cause) {
            super(cause.getMessage(), cause);
        }

        /// Whether the other end of a pipe is closed: `head` has seen enough.
        boolean isReaderGone() {
            return "Broken pipe".equals(getMessage()) || isPipe();
        }

        /// The message is in the language of the user, while nothing but a closed end makes writing to a pipe fail.
        private static boolean isPipe() {
            try {
                int mode = (int) Files.getAttribute(Path.of("/dev/stdout"), "unix:mode");
                return (mode & FILE_TYPE) == PIPE;
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                return false;
            }
        }
    }
}
