package dev.arenakit.examples.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.US_ASCII;

/// Prints the times of requests to the same server with different memory, as a table in Markdown. The kinds of memory
/// take turns, so that other load on the machine affects all of them.
public final class ServerTimes {
    private static final int CLIENTS = 16;
    private static final int REQUESTS_OF_CLIENT = 10;
    private static final int NUMBERS = 500;
    private static final String TEXT = IntStream.rangeClosed(1, NUMBERS)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(" "));
    private static final String SUM = Integer.toString(NUMBERS * (NUMBERS + 1) / 2);

    private final HttpServer server;
    private final HttpClient http;
    private final AtomicLong ids = new AtomicLong();
    /// The times of each kind of memory, of all rounds.
    private final Map<String, long[]> nanos = new LinkedHashMap<>();

    private ServerTimes(HttpServer server, HttpClient http) {
        this.server = server;
        this.http = http;
    }

    /// Runs the comparison.
    ///
    /// @param args the number of rounds, of 160 requests for each kind of memory
    /// @throws Exception if a request fails
    public static void main(String[] args) throws Exception {
        run(System.out, Integer.parseInt(args[0]));
    }

    static void run(PrintStream out, int rounds) throws IOException, InterruptedException, ExecutionException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
        try (SlabPool pool = SlabPool.builder().maxByteSize(4 << 20).openTimeout(Duration.ofMillis(5)).build();
                ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
                HttpClient http = HttpClient.newHttpClient()) {
            server.setExecutor(handlers);
            ServerTimes times = new ServerTimes(server, http);
            times.add("SlabArena", pool::openConfined);
            times.add("Arena.ofConfined", Arena::ofConfined);
            times.add("Arena.ofShared", Arena::ofShared);
            times.addArrays();
            server.start();
            for (int round = -rounds / 4; round < rounds; round++) {
                int context = 0;
                for (Map.Entry<String, long[]> each : times.nanos.entrySet()) {
                    long[] ofRound = times.measure(++context);
                    if (round >= 0) {
                        each.setValue(concat(each.getValue(), ofRound));
                    }
                }
            }
            times.print(out);
        } finally {
            server.stop(0);
        }
    }

    private void add(String memory, Supplier<? extends Arena> arenas) {
        add(memory, exchange -> {
            try (Arena arena = arenas.get()) {
                return sum(exchange, arena);
            }
        });
    }

    private void addArrays() {
        add("byte[]", exchange -> sum(exchange, (size, alignment) -> MemorySegment.ofArray(new byte[(int) size])));
    }

    private void add(String memory, Answer answer) {
        nanos.put(memory, new long[0]);
        server.createContext("/" + nanos.size(), exchange -> {
            byte[] text = Long.toString(answer.sum(exchange)).getBytes(US_ASCII);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
    }

    private long sum(HttpExchange exchange, SegmentAllocator allocator) throws IOException {
        return SumRequest.read(ids.incrementAndGet(), exchange.getRequestBody(), TEXT.length(), allocator)
                .sum(allocator);
    }

    /// All clients at once.
    ///
    /// @return the time of each request
    private long[] measure(int context) throws InterruptedException, ExecutionException {
        HttpRequest request = HttpRequest
                .newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + context))
                .POST(HttpRequest.BodyPublishers.ofString(TEXT))
                .build();
        long[] times = new long[CLIENTS * REQUESTS_OF_CLIENT];
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> clients = IntStream.range(0, CLIENTS).mapToObj(client -> threads.submit(() -> {
                ask(request, times, client * REQUESTS_OF_CLIENT);
                return null;
            })).toList();
            for (Future<Object> client : clients) {
                client.get();
            }
        }
        return times;
    }

    private void ask(HttpRequest request, long[] times, int first) throws IOException, InterruptedException {
        for (int i = 0; i < REQUESTS_OF_CLIENT; i++) {
            long begin = System.nanoTime();
            String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            times[first + i] = System.nanoTime() - begin;
            if (!answer.equals(SUM)) {
                throw new IllegalStateException("Answer is wrong: expected=" + SUM + ", answer=" + answer);
            }
        }
    }

    private void print(PrintStream out) {
        out.printf("| microseconds | 50 %% | 99 %% | 99.9 %% |%n|---|---:|---:|---:|%n");
        nanos.forEach((memory, times) -> {
            Arrays.sort(times);
            out.printf(Locale.ROOT, "| %s | %,d | %,d | %,d |%n", memory, times[times.length / 2] / 1_000,
                    times[(int) (times.length * 0.99)] / 1_000, times[(int) (times.length * 0.999)] / 1_000);
        });
    }

    private static long[] concat(long[] first, long[] second) {
        long[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private interface Answer {
        long sum(HttpExchange exchange) throws IOException;
    }
}
