package dev.arenakit.tool.serve;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.arrow.ArrowWriter;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/// The server. Each request has a thread of its own, and opens the image that it reads.
final class ServeHandler implements HttpHandler, Closeable {
    /// What clients may use at most.
    ///
    /// @param transfers    the number of tables that are written at the same time
    /// @param transferWait the time that a request for a table waits for one of them to end
    /// @param stall        the time in which a client accepts what is written at once
    record Limits(int transfers, Duration transferWait, Duration stall) {}

    /// The list of the images, by their names.
    @FunctionalInterface
    interface Images {
        Map<String, Path> find() throws IOException;
    }

    /// A request that gets an error as its reply.
    private static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        RefusedException(int status, String reply) {
            super(reply);
            this.status = status;
        }
    }

    static {
        // The JDK's server has no other options. It limits what arrives before a request is complete, in seconds.
        Map.of("jdk.httpserver.maxConnections", "256", "sun.net.httpserver.maxReqHeaderSize", "16384",
                "sun.net.httpserver.maxReqTime", "10", "sun.net.httpserver.idleInterval", "10",
                "sun.net.httpserver.nodelay", "true").forEach(System::setProperty);
    }

    private final Streams streams;
    private final Images images;
    private final Limits limits;
    private final boolean isLoopback;
    private final boolean isLogging;
    private final Semaphore transfers;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1,
            Thread.ofPlatform().daemon().factory());

    /// Starts a server.
    ///
    /// @param isLogging whether each request is reported, or failures of this server alone
    /// @throws IOException if the address cannot be bound
    ServeHandler(Streams streams, Images images, Limits limits, InetSocketAddress address, boolean isLogging)
            throws IOException {
        this.streams = streams;
        this.images = images;
        this.limits = limits;
        this.isLogging = isLogging;
        isLoopback = address.getAddress().isLoopbackAddress();
        transfers = new Semaphore(limits.transfers(), true);
        // Each write has a timer, which is soon cancelled.
        timers.setRemoveOnCancelPolicy(true);
        server = HttpServer.create(address, 0, "/", this);
        server.setExecutor(threads);
        server.start();
    }

    /// The address to which the server is bound.
    InetSocketAddress address() {
        return server.getAddress();
    }

    /// Answers a request. After an exception, the JDK's server closes the connection, so that the client notices that the
    /// reply is incomplete.
    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            answerAndLog(exchange);
        } catch (Error e) {
            // After an Error, the JDK's server would leave the connection open.
            throw new IOException(e);
        }
    }

    private void answerAndLog(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String outcome = "";
        try {
            outcome = answer(exchange);
        } catch (RefusedException e) {
            reply(exchange, e.status, String.valueOf(e.getMessage()));
        } catch (ServeBody.ClientGoneException e) {
            outcome = ", " + e.getMessage();
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            if (e instanceof IllegalArgumentException && exchange.getResponseCode() < 0) {
                reply(exchange, 400, String.valueOf(e.getMessage()));
                return;
            }
            outcome = ", failed";
            String reason = e instanceof IOException || e instanceof UncheckedIOException
                    ? ErrorText.of(ErrorText.cause((Exception) e))
                    : "unexpected: " + e;
            synchronized (this) {
                streams.report(request + ": " + reason);
            }
            if (exchange.getResponseCode() >= 0) {
                throw new IOException(e);
            }
            reply(exchange, 500, reason);
        } finally {
            if (isLogging) {
                streams.err()
                        .println(PrintableText.of(String.format(Locale.ROOT, "%s %s: %d%s, %.3f s",
                                exchange.getRemoteAddress().getAddress().getHostAddress(), request,
                                exchange.getResponseCode(), outcome, (System.nanoTime() - start) / 1e9)));
            }
        }
    }

    /// Answers a request.
    ///
    /// @return what was done, for the log
    private String answer(HttpExchange exchange) throws IOException, RefusedException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Cache-Control", "no-store");
        // A page of another site may neither read a reply nor use it as something else than it is.
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        URI uri = exchange.getRequestURI();
        checkHosts(exchange.getRequestHeaders().getOrDefault("Host", List.of()), uri);
        if (!exchange.getProtocol().equals("HTTP/1.1")) {
            // A client of HTTP/1.0 would not see that a reply is incomplete.
            throw new RefusedException(505, "The version must be HTTP/1.1");
        }
        if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
            headers.set("Allow", "GET, HEAD");
            throw new RefusedException(405, "Images are only read: use GET");
        }
        if (uri.getRawPath().equals("/")) {
            Optional<ServeBody> body = begin(exchange, 200, "application/json", 0);
            if (body.isPresent()) {
                OutputStream out = new BufferedOutputStream(Channels.newOutputStream(body.get()));
                ServeIndex.write(images.find(), out);
                out.flush();
                body.get().finish();
            }
            return "";
        }
        try {
            ServeTarget target = ServeTarget.of(uri)
                    .orElseThrow(() -> new RefusedException(404, "There is nothing at this path: / lists the tables"));
            if (!transfers.tryAcquire(limits.transferWait().toNanos(), TimeUnit.NANOSECONDS)) {
                headers.set("Retry-After", "5");
                throw new RefusedException(503, limits.transfers() + " tables are being read: try again");
            }
            try {
                return answerTable(target, exchange);
            } finally {
                transfers.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server is closed", e);
        }
    }

    /// Checks the names of this server in a request.
    ///
    /// A page of a hostile site can make its own name resolve to a loopback address, so that a browser on this machine
    /// takes this server for that site, and gives the page what it reads. The request then has the name of the site.
    private void checkHosts(List<String> hosts, URI uri) throws RefusedException {
        if (hosts.size() != 1) {
            throw new RefusedException(403, "The request needs one header Host");
        }
        if (isLoopback && !(isLoopback(hosts.getFirst())
                && (!uri.isAbsolute() || isLoopback(String.valueOf(uri.getRawAuthority()))))) {
            throw new RefusedException(403,
                    "The header Host names another server: use localhost, 127.0.0.1 or [::1]");
        }
    }

    private static boolean isLoopback(String host) {
        String name = host.replaceFirst(":\\d*$", "");
        try {
            return name.equalsIgnoreCase("localhost") || InetAddress.ofLiteral(name).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private String answerTable(ServeTarget target, HttpExchange exchange) throws IOException, RefusedException {
        Path base = images.find().get(target.image());
        if (base == null) {
            throw new RefusedException(404, "There is no such image: / lists the images");
        }
        try (ArenaImage image = ImageFileSet.openImage(base)) {
            ServeTable table = image.find(target.name())
                    .flatMap(found -> ServeTable.of(image, found))
                    .orElseThrow(() -> new RefusedException(404, "The image has no such table: / lists the tables"));
            ArrowIpc format = table.format(target.columns());
            ArrowTable rows = ArrowTable.open(image, table.allocation(), table.type());
            // To know the length, all rows are read.
            long length = exchange.getRequestMethod().equals("HEAD")
                    ? 0
                    : table.byteSize(rows, target.range(), format);
            Optional<ServeBody> body = begin(exchange, 200, "application/vnd.apache.arrow.stream", length);
            if (body.isEmpty()) {
                return "";
            }
            try (ArrowWriter writer = format.open(body.get())) {
                long missing = rows.write(target.range(), writer::write);
                if (missing > 0) {
                    throw new IOException("a data file is truncated: " + missing + " structs are missing");
                }
                writer.finish();
                body.get().finish();
                return ", " + writer.rowCount() + " rows";
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    private void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = (text + "\n").getBytes(UTF_8);
        Optional<ServeBody> body = begin(exchange, status, "text/plain; charset=utf-8", bytes.length);
        if (body.isPresent()) {
            Channels.newOutputStream(body.get()).write(bytes);
            body.get().finish();
        }
    }

    /// Begins a reply.
    ///
    /// @param length the number of bytes, or 0 if it is unknown
    /// @return the body, or empty if the client wants none
    private Optional<ServeBody> begin(HttpExchange exchange, int status, String contentType, long length)
            throws IOException {
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.sendResponseHeaders(status, isHead ? -1 : length);
        return isHead
                ? Optional.empty()
                : Optional.of(new ServeBody(exchange.getResponseBody(), timers, limits.stall()));
    }

    /// Ends all transfers. The clients see that they are incomplete.
    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
        timers.shutdownNow();
    }
}
