package dev.arenakit.tool.serve;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// The server of tables. Each request has a thread while it is answered, and opens the image that it reads.
final class ServeHttp implements Closeable {
    private static final String HTTP = "HTTP/1.1";
    private static final List<String> METHODS = List.of("GET", "HEAD");

    private final Streams streams;
    private final ServeImages images;
    private final ServeLimits limits;
    private final boolean isLogging;
    private final Semaphore transfers;
    private final ServeStalls stalls;
    private final ExecutorService threads = Executors
            .newCachedThreadPool(Thread.ofPlatform().daemon().name("request-", 0).factory());
    private final HttpServer server;

    /// Starts a server.
    ///
    /// @param isLogging whether each request is reported, or failures of this server alone
    /// @throws IOException if the address cannot be bound
    ServeHttp(Streams streams, ServeImages images, ServeLimits limits, InetSocketAddress address, boolean isLogging)
            throws IOException {
        this.streams = streams;
        this.images = images;
        this.limits = limits;
        this.isLogging = isLogging;
        transfers = new Semaphore(limits.transfers(), true);
        ServeLimits.setProperties();
        server = HttpServer.create(address, 0);
        stalls = new ServeStalls(limits.stall());
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /// The address to which the server is bound.
    InetSocketAddress address() {
        return server.getAddress();
    }

    /// Ends all transfers. The clients see that they are incomplete.
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        stalls.close();
    }

    private void handle(HttpExchange exchange) throws IOException {
        long start = System.nanoTime();
        try (ServeStalls.Client client = stalls.client()) {
            ServeReply reply = new ServeReply(exchange, client);
            String outcome = "";
            try {
                outcome = answer(exchange, reply);
            } catch (ServeReply.ClientGoneException e) {
                outcome = ", " + e.getMessage();
                throw e;
            } catch (IOException | UncheckedIOException e) {
                outcome = ", failed";
                fail(exchange, reply, ErrorText.of(ErrorText.cause(e)));
            } catch (RuntimeException | Error e) {
                // The JDK's server would leave the connection open after an error.
                outcome = ", failed";
                fail(exchange, reply, "unexpected: " + e);
            } finally {
                log(exchange, reply, outcome, System.nanoTime() - start);
            }
        }
    }

    /// Reports a failure of this server, and tells the client.
    ///
    /// @throws IOException if the reply has begun, so that the connection is closed
    private void fail(HttpExchange exchange, ServeReply reply, String reason) throws IOException {
        report(exchange.getRequestURI() + ": " + reason);
        if (reply.code() != 0) {
            throw new IOException(reason);
        }
        reply.text(500, reason);
    }

    /// Answers a request.
    ///
    /// @return what was done, for the log
    private String answer(HttpExchange exchange, ServeReply reply) throws IOException {
        Optional<String> refusal = ServeHosts.refusal(exchange.getRequestHeaders().get("Host"), isLoopback());
        if (!exchange.getProtocol().equals(HTTP)) {
            // The end of a reply of an older version is not different from the end of a connection.
            reply.text(505, "The version of the protocol must be " + HTTP);
        } else if (refusal.isPresent()) {
            reply.text(403, refusal.get());
        } else if (!METHODS.contains(exchange.getRequestMethod())) {
            reply.with("Allow", String.join(", ", METHODS)).text(405, "Images are only read: use GET");
        } else {
            return answerRead(exchange, reply);
        }
        return "";
    }

    private String answerRead(HttpExchange exchange, ServeReply reply) throws IOException {
        Optional<ServeTarget> target;
        try {
            target = ServeTarget.of(exchange.getRequestURI());
        } catch (IllegalArgumentException e) {
            reply.text(400, String.valueOf(e.getMessage()));
            return "";
        }
        if (target.isPresent() && target.get() instanceof ServeTarget.Table table) {
            return answerTable(table, reply);
        }
        if (target.isPresent()) {
            OutputStream out = reply.begin("application/json");
            if (!reply.isHead()) {
                ServeIndex.write(images.bases(), out);
                reply.finish();
            }
        } else {
            reply.text(404, "There is nothing at this path: / lists the tables");
        }
        return "";
    }

    private String answerTable(ServeTarget.Table target, ServeReply reply) throws IOException {
        try {
            if (!transfers.tryAcquire(limits.transferWait().toNanos(), TimeUnit.NANOSECONDS)) {
                reply.with("Retry-After", "5").text(503, limits.transfers() + " tables are being read: try again");
                return "";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server is closed", e);
        }
        try {
            Path base = images.bases().get(target.image());
            if (base == null) {
                reply.text(404, "There is no such image: / lists the images");
                return "";
            }
            try (ArenaImage image = ImageFileSet.openImage(base)) {
                return answerTable(image, target, reply);
            }
        } finally {
            transfers.release();
        }
    }

    private static String answerTable(ArenaImage image, ServeTarget.Table target, ServeReply reply)
            throws IOException {
        Optional<ServeTable> table = image.find(target.name()).flatMap(found -> ServeTable.of(image, found));
        if (table.isEmpty()) {
            reply.text(404, "The image has no such table: / lists the tables");
            return "";
        }
        ArrowIpc format;
        try {
            format = table.get().format(target.columns());
        } catch (IllegalArgumentException e) {
            reply.text(400, String.valueOf(e.getMessage()));
            return "";
        }
        ArrowTable rows = table.get().open();
        OutputStream out = reply.begin(ServeTable.CONTENT_TYPE);
        if (reply.isHead()) {
            return "";
        }
        long count = ServeTable.write(rows, target.range(), format, out);
        reply.finish();
        return String.format(Locale.ROOT, ", %d rows", count);
    }

    private boolean isLoopback() {
        return isLoopback(server.getAddress().getAddress());
    }

    /// Whether an address can be reached from this machine alone.
    static boolean isLoopback(InetAddress address) {
        return address.isLoopbackAddress();
    }

    private void log(HttpExchange exchange, ServeReply reply, String outcome, long nanos) {
        if (isLogging) {
            String line = String.format(Locale.ROOT, "%s %s %s: %s%s, %.3f s",
                    exchange.getRemoteAddress().getAddress().getHostAddress(), exchange.getRequestMethod(),
                    exchange.getRequestURI(), reply.code() == 0 ? "no reply" : reply.code(), outcome, nanos / 1e9);
            streams.err().println(PrintableText.of(line));
        }
    }

    private void report(String problem) {
        // A line of two requests must not be mixed.
        synchronized (server) {
            streams.report(problem);
        }
    }
}
