package dev.arenakit.bench.micro.layout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;

/// A stream to which one object is written repeatedly, and a stream from which it is read repeatedly.
final class ObjectStreams {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ObjectOutputStream out;
    private final ObjectInputStream in;

    ObjectStreams(Object object) {
        try {
            out = new ObjectOutputStream(bytes);
            out.flush();
            byte[] header = bytes.toByteArray();
            write(object);
            in = new ObjectInputStream(new Repeated(header, bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Writes an object to the reset stream, and returns the number of bytes written.
    int write(Object object) throws IOException {
        bytes.reset();
        out.reset();
        out.writeObject(object);
        out.flush();
        return bytes.size();
    }

    /// Reads a new copy of the object.
    Object read() throws IOException, ClassNotFoundException {
        return in.readObject();
    }

    /// A header, followed by the same bytes without end.
    private static final class Repeated extends InputStream {
        private final byte[] repeated;
        private byte[] current;
        private int position;

        Repeated(byte[] first, byte[] repeated) {
            this.current = first;
            this.repeated = repeated;
        }

        @Override
        public int read() {
            if (position == current.length) {
                current = repeated;
                position = 0;
            }
            return current[position++] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (length == 0) {
                return 0;
            }
            target[offset] = (byte) read();
            int copied = Math.min(length - 1, current.length - position);
            System.arraycopy(current, position, target, offset + 1, copied);
            position += copied;
            return 1 + copied;
        }
    }
}
