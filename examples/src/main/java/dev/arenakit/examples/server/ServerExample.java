package dev.arenakit.examples.server;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A server under load, whose clients check every answer: clients that go away, a pool that is full, and a shutdown in
/// the middle.
public final class ServerExample {
    private static final int SLABS = 16;
    private static final int CLIENTS = 48;
    private static final int REQUESTS_OF_CLIENT = 15;

    private final PrintStream out;
    private final SlabPool pool;
    private final List<SumClient> clients;

    private ServerExample(PrintStream out, SlabPool pool, SumServer server, HttpClient http) {
        this.out = out;
        this.pool = pool;
        clients = IntStream.range(0, CLIENTS).mapToObj(id -> new SumClient(server, http, id)).toList();
    }

    /// Runs the example.
    ///
    /// @param args for how many seconds the load is repeated, 0 by default
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        run(System.out, Duration.ofSeconds(args.length == 0 ? 0 : Long.parseLong(args[0])));
    }

    static void run(PrintStream out, Duration duration) throws IOException, InterruptedException, ExecutionException {
        SlabPool pool = SlabPool.builder()
                .maxByteSize(SLABS * 65_536)
                .openTimeout(Duration.ofMillis(5))
                .build();
        try (SumServer server = new SumServer(pool); HttpClient http = HttpClient.newHttpClient()) {
            ServerExample example = new ServerExample(out, pool, server, http);
            example.load();
            if (duration.isPositive()) {
                example.repeatLoad(duration);
            }
            example.fill();
            example.shutdown();
        }
    }

    private void load() throws InterruptedException, ExecutionException {
        int answered = round();
        out.printf("%d clients, %d slabs: %d requests are answered, %d are abandoned, %d arenas are open.%n", CLIENTS,
                SLABS, answered, CLIENTS * REQUESTS_OF_CLIENT - answered, pool.stats().openArenas());
    }

    /// Repeats the load. The resident memory of the process after a quarter of the time is compared with the end.
    private void repeatLoad(Duration duration) throws IOException, InterruptedException, ExecutionException {
        long begin = System.nanoTime();
        long answered = repeatLoadUntil(begin + duration.toNanos() / 4);
        long before = residentKilobytes();
        answered += repeatLoadUntil(begin + duration.toNanos());
        out.printf(Locale.ROOT, "%,d requests are answered in %d s. Resident memory: %d KiB, then %d KiB.%n", answered,
                duration.toSeconds(), before, residentKilobytes());
    }

    private long repeatLoadUntil(long end) throws InterruptedException, ExecutionException {
        long answered = 0;
        while (System.nanoTime() - end < 0) {
            answered += round();
        }
        return answered;
    }

    /// {@return the memory that the process takes from the system}
    private static long residentKilobytes() throws IOException {
        System.gc();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            String line = lines.filter(each -> each.startsWith("VmRSS:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", ""));
        }
    }

    /// All clients at once. A third of the requests is abandoned, and half of them are finished by other threads.
    private int round() throws InterruptedException, ExecutionException {
        return inThreads(ServerExample::ask);
    }

    private static int ask(SumClient client) throws IOException, InterruptedException {
        int answered = 0;
        for (int i = 0; i < REQUESTS_OF_CLIENT; i++) {
            String path = i % 2 == 0 ? "/sum" : "/later";
            if (i % 3 == 0) {
                client.abandon(path);
            } else {
                client.ask(path);
                answered++;
            }
        }
        return answered;
    }

    /// The pool has no memory for a request, until an arena is closed.
    private void fill() throws IOException, InterruptedException, ExecutionException {
        Deque<SlabArena> arenas = new ArrayDeque<>();
        for (int i = 0; i < SLABS; i++) {
            arenas.add(pool.openConfined());
        }
        int full = clients.getFirst().askOnce("/sum").statusCode();
        arenas.pop().close();
        int afterClose = clients.getFirst().askOnce("/sum").statusCode();
        arenas.forEach(SlabArena::close);
        out.printf("A full pool: the answer is %d, and %d after an arena was closed.%n", full, afterClose);
    }

    /// A request that has begun is answered. The pool is closed after the last such request.
    private void shutdown() throws IOException, InterruptedException, ExecutionException {
        try (PartialRequest begun = clients.getFirst().begin("/later");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (pool.stats().openArenas() == 0) {
                Thread.onSpinWait();
            }
            Semaphore answers = new Semaphore(0);
            Future<Integer> refused = threads.submit(() -> inThreads(client -> askUntilRefused(client, answers)));
            answers.acquire(CLIENTS);
            pool.shutdown();
            begun.finish();
            boolean closed = pool.awaitClosed(Duration.ofMinutes(1));
            out.printf("A shutdown: the request that had begun is answered, %d clients are refused, closed=%b.%n",
                    refused.get(), closed);
        }
    }

    private static int askUntilRefused(SumClient client, Semaphore answers) throws IOException, InterruptedException {
        while (client.ask("/later") == 200) {
            answers.release();
        }
        return 1;
    }

    /// Runs a task for each client, in a thread of its own.
    ///
    /// @return the sum of the results
    private int inThreads(Task task) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (SumClient client : clients) {
                results.add(threads.submit(() -> task.run(client)));
            }
            int sum = 0;
            for (Future<Integer> result : results) {
                sum += result.get();
            }
            return sum;
        }
    }

    private interface Task {
        int run(SumClient client) throws IOException, InterruptedException;
    }
}
