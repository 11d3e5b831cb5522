package dev.arenakit.tool.serve;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/// A connection, which has one request and one reply. A reply of unknown size consists of chunks of HTTP/1.1 (RFC 9112).
/// A chunk may have any size: the JDK's server writes chunks of 4 KiB, each by a system call.
///
/// ```text
/// chunk:  size in hexadecimal | CR LF | bytes | CR LF
/// end:    0 | CR LF | CR LF
/// ```
///
/// A client of HTTP/1.0 gets the bytes alone, up to the end of the connection.
///
/// A reply is complete only after [#finish]; if the connection is closed before, the client sees that: the end of an
/// incomplete reply without chunks is a reset.
final class ServeConnection implements Closeable {
    /// Reads from or writes to the connection.
    @FunctionalInterface
    private interface Transfer {
        void run() throws IOException;
    }

    /// The client has closed the connection, or is too slow.
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(String message, IOException cause) {
            super(message, cause);
        }
    }

    private static final int HEAD_BYTES = 1 << 14;
    private static final Duration HEAD_LIMIT = Duration.ofSeconds(10);
    private static final Duration LINGER_LIMIT = Duration.ofSeconds(1);
    /// CR LF CR LF
    private static final int HEAD_END = 0x0d0a0d0a;
    private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);

    private final SocketChannel channel;
    private final Duration stall;
    private final Map<String, String> headers = new LinkedHashMap<>();
    /// The start and the limit of the current transfer. The limit is 0 between transfers.
    private volatile long start;
    private volatile long limit;
    private volatile boolean isLate;
    private int code;
    private boolean isHead;
    private boolean isOld;
    /// A reply without chunks has begun, and is not complete.
    private volatile boolean isOpenEnded;

    /// @param stall the time in which the client accepts what is written at once
    ServeConnection(SocketChannel channel, Duration stall) {
        this.channel = channel;
        this.stall = stall;
    }

    /// Closes the connection if its client is too slow. Nothing else ends a transfer. Any thread may call this method.
    void checkTime() {
        long current = limit;
        if (current > 0 && System.nanoTime() - start > current) {
            isLate = true;
            try {
                close();
            } catch (IOException e) {
                // The connection was broken already.
            }
        }
    }

    private void within(Duration duration, Transfer transfer) throws ClientGoneException {
        start = System.nanoTime();
        limit = duration.toNanos();
        try {
            transfer.run();
        } catch (IOException e) {
            throw new ClientGoneException(isLate ? "the client is too slow" : "the client has gone", e);
        } finally {
            limit = 0;
        }
    }

    /// The address of the client, for the log.
    String client() {
        return channel.socket().getInetAddress().getHostAddress();
    }

    /// The status code of the reply, or 0 if there is none.
    int code() {
        return code;
    }

    /// Reads the head of the request.
    ///
    /// @throws IllegalArgumentException if it is malformed or too large
    ServeRequest read() throws ClientGoneException {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES);
        within(HEAD_LIMIT, () -> {
            for (int end = -1; end < 0;) {
                if (!bytes.hasRemaining()) {
                    throw new IllegalArgumentException("The head of the request is too large");
                }
                int from = bytes.position();
                if (channel.read(bytes) < 0) {
                    throw new IOException("Connection ends");
                }
                end = headEnd(bytes, from);
                if (end >= 0) {
                    bytes.limit(end);
                }
            }
        });
        ServeRequest request = ServeRequest.of(new String(bytes.array(), 0, bytes.limit(), ISO_8859_1));
        isHead = request.method().equals("HEAD");
        isOld = request.version().equals(ServeRequest.OLD_VERSION);
        return request;
    }

    /// Returns the end of the head, or -1 if more must be read.
    ///
    /// @param from the position before the last read
    private static int headEnd(ByteBuffer bytes, int from) {
        for (int i = Math.max(0, from - Integer.BYTES + 1); i + Integer.BYTES <= bytes.position(); i++) {
            if (bytes.getInt(i) == HEAD_END) {
                return i;
            }
        }
        return -1;
    }

    /// Sets a header of the reply.
    ServeConnection with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    /// Replies with a line of text.
    void reply(int status, String reason, String text) throws ClientGoneException {
        byte[] bytes = (text + "\n").getBytes(UTF_8);
        with("Content-Length", String.valueOf(bytes.length)).begin(status, reason, "text/plain; charset=utf-8");
        if (!isHead) {
            write(ByteBuffer.wrap(bytes));
        }
    }

    /// Begins a reply of any size.
    ///
    /// @return whether the client wants it; otherwise the reply is complete
    boolean begin(String contentType) throws ClientGoneException {
        if (!isOld) {
            with("Transfer-Encoding", "chunked");
        }
        isOpenEnded = isOld && !isHead;
        begin(200, "OK", contentType);
        return !isHead;
    }

    private void begin(int status, String reason, String contentType) throws ClientGoneException {
        code = status;
        with("Content-Type", contentType).with("Connection", "close").with("Cache-Control", "no-store");
        with("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
        // A page of another site may neither read a reply nor use it as something else than it is.
        with("X-Content-Type-Options", "nosniff").with("Cross-Origin-Resource-Policy", "same-origin");
        StringBuilder head = new StringBuilder(ServeRequest.VERSION + " " + status + " " + reason + "\r\n");
        headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        write(ByteBuffer.wrap(head.append("\r\n").toString().getBytes(US_ASCII)));
    }

    /// Writes buffers as a chunk.
    void writeChunk(ByteBuffer[] buffers, int from, int count) throws ClientGoneException {
        long byteSize = 0;
        ByteBuffer[] chunk = new ByteBuffer[count + 2];
        for (int i = 0; i < count; i++) {
            byteSize += buffers[from + i].remaining();
            chunk[i + 1] = buffers[from + i];
        }
        // A chunk of no bytes would end the reply.
        if (isOld) {
            write(Arrays.copyOfRange(chunk, 1, count + 1));
        } else if (byteSize > 0) {
            chunk[0] = ByteBuffer.wrap((Long.toHexString(byteSize) + "\r\n").getBytes(US_ASCII));
            chunk[count + 1] = ByteBuffer.wrap(LINE_END);
            write(chunk);
        }
    }

    /// Completes a reply of any size.
    void finish() throws ClientGoneException {
        if (!isOld) {
            write(ByteBuffer.wrap(LAST_CHUNK));
        }
        isOpenEnded = false;
    }

    private void write(ByteBuffer... buffers) throws ClientGoneException {
        within(stall, () -> {
            for (int first = 0; first < buffers.length;) {
                if (buffers[first].hasRemaining()) {
                    long _ = channel.write(buffers, first, buffers.length - first);
                } else {
                    first++;
                }
            }
        });
    }

    /// Waits for a short time until the client closes the connection. If this server closes it first, and bytes of the
    /// client were not read, the system discards what the client has not read.
    void linger() {
        try {
            within(LINGER_LIMIT, () -> {
                channel.shutdownOutput();
                ByteBuffer discarded = ByteBuffer.allocate(HEAD_BYTES);
                while (channel.read(discarded.clear()) >= 0) {
                    // Another part of a request that was answered.
                }
            });
        } catch (ClientGoneException e) {
            // The reply was complete.
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            if (isOpenEnded) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        }
    }
}
