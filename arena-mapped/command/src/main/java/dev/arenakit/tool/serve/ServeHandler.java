package dev.arenakit.tool.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The server. Each request has a thread of its own, and opens the image that it reads.
final class ServeHandler implements HttpHandler, Closeable {
    /// Writes to a client.
    @FunctionalInterface
    private interface BodyWriter {
        void write(OutputStream body) throws IOException;
    }

    /// A request is refused.
    private static final class RefusedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;
        private final int status;

        RefusedException(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    /// The client has closed the connection, or is too slow. Nobody needs to know.
    private static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1L;

        ClientGoneException(IOException cause) {
            super(cause);
        }
    }

    static {
        // The JDK's server has no other options. It limits what arrives before a request is complete, in seconds.
        Map.of("jdk.httpserver.maxConnections", "256", "sun.net.httpserver.maxReqHeaderSize", "16384",
                "sun.net.httpserver.maxReqTime", "10", "sun.net.httpserver.idleInterval", "10",
                "sun.net.httpserver.nodelay", "true").forEach(System::setProperty);
    }

    /// The time in which a client must accept a piece of a reply.
    static final Duration STALL = Duration.ofSeconds(60);
    /// The number of tables that are written at the same time. Each needs memory for a batch of rows.
    private static final int TRANSFERS = 16;
    /// The number of bytes that are written at once.
    private static final int PIECE = 1 << 17;

    private final Streams streams;
    private final List<Path> targets;
    private final Duration stall;
    private final boolean isLoopback;
    private final Semaphore transfers = new Semaphore(TRANSFERS, true);
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /// Starts a server.
    ///
    /// @param targets bases of images, and directories
    /// @param stall   the time in which a client accepts what is written at once
    /// @throws IOException if the address cannot be bound
    ServeHandler(Streams streams, List<Path> targets, Duration stall, InetSocketAddress address) throws IOException {
        this.streams = streams;
        this.targets = targets;
        this.stall = stall;
        isLoopback = address.getAddress().isLoopbackAddress();
        server = HttpServer.create(address, 0, "/", this);
        server.setExecutor(threads);
        server.start();
    }

    /// The address to which the server is bound.
    InetSocketAddress address() {
        return server.getAddress();
    }

    /// Answers a request. After an exception, the JDK's server closes the connection, so that the client notices that the
    /// reply is incomplete. After an Error, it would leave the connection open.
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            answerOrReport(exchange);
        } catch (Error e) {
            throw new IOException(e);
        }
    }

    private void answerOrReport(HttpExchange exchange) throws IOException {
        try {
            answer(exchange);
        } catch (ClientGoneException | ClosedByInterruptException e) {
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            boolean hasBegun = exchange.getResponseCode() >= 0;
            if (e instanceof IllegalArgumentException && !hasBegun) {
                reply(exchange, e instanceof RefusedException refused ? refused.status : 400,
                        String.valueOf(e.getMessage()));
                return;
            }
            String reason = e instanceof IOException || e instanceof UncheckedIOException
                    ? ErrorText.of(ErrorText.cause((Exception) e))
                    : "unexpected: " + e;
            synchronized (this) {
                streams.report(exchange.getRequestMethod() + " " + exchange.getRequestURI() + ": " + reason);
            }
            if (hasBegun) {
                throw new IOException(e);
            }
            reply(exchange, 500, reason);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        // A page of another site may neither read a reply nor use it as something else than it is.
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        URI uri = exchange.getRequestURI();
        if (!namesThisServer(exchange.getRequestHeaders().getOrDefault("Host", List.of()), uri)) {
            throw new RefusedException(403, "The request needs one header Host"
                    + (isLoopback ? ", which names this server: use localhost, 127.0.0.1 or [::1]" : ""));
        }
        if (!exchange.getProtocol().equals("HTTP/1.1")) {
            // A client of HTTP/1.0 would not see that a reply is incomplete.
            throw new RefusedException(505, "The version must be HTTP/1.1");
        }
        if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
            headers.set("Allow", "GET, HEAD");
            throw new RefusedException(405, "Images are only read: use GET");
        }
        if (uri.getRawPath().equals("/")) {
            ByteArrayOutputStream list = new ByteArrayOutputStream();
            ServeTable.writeList(ServeCommand.images(targets), list);
            reply(exchange, 200, "application/json", list.toByteArray());
            return;
        }
        ServeTarget target = ServeTarget.of(uri)
                .orElseThrow(() -> new RefusedException(404, "There is nothing at this path: / lists the tables"));
        // Slow clients are dropped, so that each transfer ends.
        transfers.acquireUninterruptibly();
        try {
            answer(exchange, target);
        } finally {
            transfers.release();
        }
    }

    /// Whether a request names this server, and no other one.
    ///
    /// A page of a hostile site can make its own name resolve to a loopback address, so that a browser on this machine
    /// takes this server for that site, and gives the page what it reads. The request then has the name of the site.
    private boolean namesThisServer(List<String> hosts, URI uri) {
        return hosts.size() == 1 && !uri.isAbsolute() && uri.getRawAuthority() == null
                && (!isLoopback || isLoopback(hosts.getFirst()));
    }

    private static boolean isLoopback(String host) {
        String name = host.replaceFirst(":\\d*$", "");
        try {
            return name.equalsIgnoreCase("localhost") || InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private void answer(HttpExchange exchange, ServeTarget target) throws IOException {
        Path base = Optional.ofNullable(ServeCommand.images(targets).get(target.image()))
                .orElseThrow(() -> new RefusedException(404, "There is no such image: / lists the images"));
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            ServeTable table = image.find(target.name())
                    .flatMap(allocation -> ServeTable.of(image, allocation))
                    .orElseThrow(() -> new RefusedException(404, "The image has no such table: / lists the tables"));
            long length = table.length(target);
            send(exchange, 200, "application/vnd.apache.arrow.stream", length,
                    body -> table.write(target, target.range(), body));
        }
    }

    private void reply(HttpExchange exchange, int status, String text) throws IOException {
        reply(exchange, status, "text/plain; charset=utf-8", (text + "\n").getBytes(UTF_8));
    }

    private void reply(HttpExchange exchange, int status, String contentType, byte[] bytes) throws IOException {
        send(exchange, status, contentType, bytes.length, new ByteArrayInputStream(bytes)::transferTo);
    }

    /// Sends a reply. If its writer fails, or writes another number of bytes, the reply remains incomplete.
    ///
    /// @param length the number of bytes, or 0 if it is unknown
    /// @param writer writes the body, unless the client wants none
    private void send(HttpExchange exchange, int status, String contentType, long length, BodyWriter writer)
            throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", contentType);
        OutputStream out = exchange.getResponseBody();
        if (exchange.getRequestMethod().equals("HEAD")) {
            if (length > 0) {
                headers.set("Content-Length", String.valueOf(length));
            }
            within(_ -> exchange.sendResponseHeaders(status, -1), out);
            return;
        }
        within(_ -> exchange.sendResponseHeaders(status, length), out);
        OutputStream pieces = new BufferedOutputStream(new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                within(body -> body.write(bytes, from, count), out);
            }
        }, PIECE);
        writer.write(pieces);
        within(_ -> pieces.close(), out);
    }

    /// Writes to a client. If the client is too slow, this thread is interrupted, which closes the connection.
    private void within(BodyWriter writer, OutputStream out) throws IOException {
        Future<?> timer = ForkJoinPool.commonPool()
                .schedule(Thread.currentThread()::interrupt, stall.toNanos(), TimeUnit.NANOSECONDS);
        try {
            writer.write(out);
        } catch (IOException e) {
            throw new ClientGoneException(e);
        } finally {
            timer.cancel(false);
        }
    }

    /// Ends all transfers. The clients see that they are incomplete.
    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
