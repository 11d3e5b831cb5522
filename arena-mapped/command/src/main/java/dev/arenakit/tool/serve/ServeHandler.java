package dev.arenakit.tool.serve;

import dev.arenakit.arrow.ArrowIpc;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.tool.console.ErrorText;
import dev.arenakit.tool.console.PrintableText;
import dev.arenakit.tool.console.Streams;
import dev.arenakit.tool.image.ImageFileSet;
import dev.arenakit.tool.structs.ArrowTable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Answers requests. Each request opens the image that it reads. Any number of threads may use a handler.
final class ServeHandler {
    private static final List<String> VERSIONS = List.of(ServeRequest.VERSION, ServeRequest.OLD_VERSION);
    private static final List<String> METHODS = List.of("GET", "HEAD");

    private final Streams streams;
    private final ServeImages images;
    private final ServeLimits limits;
    private final boolean isLoopback;
    private final boolean isLogging;
    private final Semaphore transfers;

    /// @param isLoopback whether only this machine reaches the server
    /// @param isLogging  whether each request is reported, or failures of this server alone
    ServeHandler(Streams streams, ServeImages images, ServeLimits limits, boolean isLoopback, boolean isLogging) {
        this.streams = streams;
        this.images = images;
        this.limits = limits;
        this.isLoopback = isLoopback;
        this.isLogging = isLogging;
        transfers = new Semaphore(limits.transfers(), true);
    }

    /// Answers the request of a connection. If the reply is incomplete afterwards, the client notices, because the
    /// caller closes the connection.
    void handle(ServeConnection connection) throws IOException {
        long start = System.nanoTime();
        String request = "no request";
        String outcome = "";
        try {
            ServeRequest read = connection.read();
            request = read.method() + " " + read.target();
            outcome = answer(read, connection);
            connection.linger();
        } catch (ServeConnection.ClientGoneException e) {
            outcome = ", " + e.getMessage();
        } catch (IOException | UncheckedIOException e) {
            outcome = ", failed";
            fail(request, connection, ErrorText.of(ErrorText.cause(e)));
        } catch (RuntimeException | Error e) {
            if (e instanceof IllegalArgumentException && connection.code() == 0) {
                connection.reply(400, "Bad Request", String.valueOf(e.getMessage()));
                connection.linger();
            } else {
                outcome = ", failed";
                fail(request, connection, "unexpected: " + e);
            }
        } finally {
            log(connection, request, outcome, System.nanoTime() - start);
        }
    }

    /// Reports a failure of this server, and tells the client if the reply has not begun.
    private void fail(String request, ServeConnection connection, String reason) throws IOException {
        synchronized (this) {
            streams.report(request + ": " + reason);
        }
        if (connection.code() == 0) {
            connection.reply(500, "Internal Server Error", reason);
            connection.linger();
        }
    }

    /// Answers a request.
    ///
    /// @return what was done, for the log
    /// @throws IllegalArgumentException if the request is malformed; there is no reply yet
    private String answer(ServeRequest request, ServeConnection connection) throws IOException {
        Optional<String> refusal = ServeHosts.refusal(request.hosts(), isLoopback)
                .or(() -> request.urlHost().flatMap(host -> ServeHosts.refusal(List.of(host), isLoopback)));
        if (!VERSIONS.contains(request.version())) {
            connection.reply(505, "HTTP Version Not Supported",
                    "The version must be " + String.join(" or ", VERSIONS));
            return "";
        }
        if (refusal.isPresent()) {
            connection.reply(403, "Forbidden", refusal.get());
            return "";
        }
        if (!METHODS.contains(request.method())) {
            connection.with("Allow", String.join(", ", METHODS))
                    .reply(405, "Method Not Allowed", "Images are only read: use GET");
            return "";
        }
        return switch (ServeTarget.of(request.target()).orElse(null)) {
            case ServeTarget.Table table -> answerTable(table, connection);
            case ServeTarget.Index _ -> answerIndex(connection);
            case null -> notFound(connection, "There is nothing at this path: / lists the tables");
        };
    }

    private static String notFound(ServeConnection connection, String text) throws IOException {
        connection.reply(404, "Not Found", text);
        return "";
    }

    private String answerIndex(ServeConnection connection) throws IOException {
        if (connection.begin("application/json")) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(new ServeBody(connection)));
            ServeIndex.write(images.bases(), out);
            out.flush();
            connection.finish();
        }
        return "";
    }

    private String answerTable(ServeTarget.Table target, ServeConnection connection) throws IOException {
        try {
            if (!transfers.tryAcquire(limits.transferWait().toNanos(), TimeUnit.NANOSECONDS)) {
                connection.with("Retry-After", "5")
                        .reply(503, "Service Unavailable", limits.transfers() + " tables are being read: try again");
                return "";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the server is closed", e);
        }
        try {
            Path base = images.bases().get(target.image());
            if (base == null) {
                return notFound(connection, "There is no such image: / lists the images");
            }
            try (ArenaImage image = ImageFileSet.openImage(base)) {
                return answerTable(image, target, connection);
            }
        } finally {
            transfers.release();
        }
    }

    private static String answerTable(ArenaImage image, ServeTarget.Table target, ServeConnection connection)
            throws IOException {
        Optional<ServeTable> table = image.find(target.name()).flatMap(found -> ServeTable.of(image, found));
        if (table.isEmpty()) {
            return notFound(connection, "The image has no such table: / lists the tables");
        }
        ArrowIpc format = table.get().format(target.columns());
        ArrowTable rows = table.get().open();
        if (!connection.begin(ServeTable.CONTENT_TYPE)) {
            return "";
        }
        long count = ServeTable.write(rows, target.range(), format, new ServeBody(connection));
        connection.finish();
        return String.format(Locale.ROOT, ", %d rows", count);
    }

    private void log(ServeConnection connection, String request, String outcome, long nanos) {
        if (isLogging) {
            streams.err()
                    .println(PrintableText.of(String.format(Locale.ROOT, "%s %s: %s%s, %.3f s", connection.client(),
                            request, connection.code() == 0 ? "no reply" : connection.code(), outcome, nanos / 1e9)));
        }
    }
}
