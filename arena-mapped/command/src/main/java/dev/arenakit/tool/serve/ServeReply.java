package dev.arenakit.tool.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The reply to a request.
///
/// A body is complete only after [#finish]. If the handler of the request throws an exception instead, the JDK's server
/// closes the connection without the last chunk, and the client sees that the body is incomplete. Closing the exchange
/// or the stream would write the last chunk.
final class ServeReply {
    /// The client accepts no more bytes.
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(String message, IOException cause) {
            super("the client " + message, cause);
        }
    }

    private final HttpExchange exchange;
    private final ServeStalls.Client client;
    private int code;

    ServeReply(HttpExchange exchange, ServeStalls.Client client) {
        this.exchange = exchange;
        this.client = client;
    }

    /// The status code, or 0 if there is no reply yet.
    int code() {
        return code;
    }

    /// Sets a header.
    ServeReply with(String header, String value) {
        exchange.getResponseHeaders().set(header, value);
        return this;
    }

    /// Replies with a line of text.
    void text(int status, String message) throws ClientGoneException {
        byte[] bytes = (message + "\n").getBytes(UTF_8);
        begin(status, "text/plain; charset=utf-8", bytes.length);
        if (!isHead()) {
            client.write(() -> exchange.getResponseBody().write(bytes));
            finish();
        }
    }

    /// Whether the client wants the headers alone.
    boolean isHead() {
        return exchange.getRequestMethod().equals("HEAD");
    }

    /// Begins a body of any size. If the client wants the headers alone, the reply is complete.
    OutputStream begin(String contentType) throws ClientGoneException {
        begin(200, contentType, 0);
        return new Body(exchange.getResponseBody());
    }

    /// @param byteSize the size of the body, or 0 for any size
    private void begin(int status, String contentType, long byteSize) throws ClientGoneException {
        code = status;
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", contentType);
        headers.set("Cache-Control", "no-store");
        // A page of another site may neither read a reply nor use it as something else than it is.
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        client.write(() -> exchange.sendResponseHeaders(status, isHead() ? -1 : byteSize));
    }

    /// Completes the body.
    void finish() throws ClientGoneException {
        client.write(() -> exchange.getResponseBody().close());
    }

    /// The body of the reply.
    private final class Body extends OutputStream {
        private final OutputStream target;

        Body(OutputStream target) {
            this.target = target;
        }

        @Override
        public void write(int value) throws IOException {
            client.write(() -> target.write(value));
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            client.write(() -> target.write(bytes, from, count));
        }
    }
}
