package dev.arenakit.examples.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.arenakit.CapacityExceededException;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabParcel;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// A server that adds up numbers. Each request has a virtual thread, and an arena of one pool.
///
/// `/sum` answers on the thread that has read the body. `/later` answers on another thread. If the pool is full for
/// longer than its timeout, or shut down, the answer is the status 503.
final class SumServer implements AutoCloseable {
    static final String FULL = "The pool is full";
    static final String SHUT_DOWN = "The pool is shut down";

    private final SlabPool pool;
    private final HttpServer server;
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final AtomicLong ids = new AtomicLong();
    /// A permit for each request that was answered or abandoned.
    private final Semaphore ended = new Semaphore(0);

    SumServer(SlabPool pool) throws IOException {
        this.pool = pool;
        server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        server.setExecutor(handlers);
        server.createContext("/sum", exchange -> serve(exchange, this::sum));
        server.createContext("/later", exchange -> serve(exchange, this::handOver));
        server.start();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    /// Waits until a request has ended. Each request ends one call.
    void awaitEnded() throws InterruptedException {
        if (!ended.tryAcquire(1, TimeUnit.MINUTES)) {
            throw new IllegalStateException("Request has not ended: pool=" + pool);
        }
    }

    private void sum(HttpExchange exchange) throws IOException {
        long sum;
        try (SlabArena arena = open()) {
            sum = read(exchange, arena).sum(arena);
        } // A client that reads slowly does not keep the memory.
        respond(exchange, 200, Long.toString(sum));
    }

    private void handOver(HttpExchange exchange) throws IOException {
        try (SlabArena arena = open()) {
            SumRequest request = read(exchange, arena);
            SlabParcel parcel = arena.detach();
            try {
                workers.execute(() -> finish(exchange, parcel, request));
            } catch (RejectedExecutionException e) {
                parcel.close(); // Nobody will attach it.
                throw e;
            }
        }
    }

    private void finish(HttpExchange exchange, SlabParcel parcel, SumRequest request) {
        try {
            serve(exchange, each -> {
                long sum;
                try (SlabArena arena = parcel.attach()) {
                    sum = request.in(parcel).sum(arena);
                }
                respond(each, 200, Long.toString(sum));
            });
        } catch (IOException e) {
            // The client has gone away.
        } finally {
            exchange.close();
        }
    }

    private SlabArena open() {
        try {
            return pool.openConfined();
        } catch (IllegalStateException e) {
            throw new RejectedExecutionException(SHUT_DOWN, e);
        }
    }

    private SumRequest read(HttpExchange exchange, SlabArena arena) throws IOException {
        int byteSize = Integer.parseInt(exchange.getRequestHeaders().getFirst("Content-Length"));
        return SumRequest.read(ids.incrementAndGet(), exchange.getRequestBody(), byteSize, arena);
    }

    /// If the client has gone away, this method throws: the JDK's server then closes and forgets the connection. After
    /// `exchange.close()`, it would keep an object for each such connection.
    private void serve(HttpExchange exchange, HttpHandler handler) throws IOException {
        try {
            try {
                handler.handle(exchange);
            } catch (CapacityExceededException e) {
                respond(exchange, 503, FULL);
            } catch (RejectedExecutionException e) {
                respond(exchange, 503, SHUT_DOWN);
            }
        } catch (IOException | RuntimeException | Error e) {
            ended.release();
            throw e;
        }
    }

    private void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(US_ASCII);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
        ended.release();
    }

    /// Stops the server, after its pool has been closed.
    @Override
    public void close() {
        server.stop(0);
        handlers.close();
        workers.close();
    }
}
