package dev.arenakit.examples.shared;

import dev.arenakit.collection.concurrent.RingBuffer;
import dev.arenakit.collection.concurrent.WaitStrategy;
import dev.arenakit.examples.process.JavaCommand;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.mapped.RingFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

import static dev.arenakit.examples.shared.SharedOrder.ORDERS;
import static java.nio.charset.StandardCharsets.UTF_8;

/// Sends orders from two processes to a third one. The first process ends between `claim` and `commit`.
public final class RingFileExample {
    private static final int CAPACITY = 1 << 16;
    private static final int PRODUCERS = 2;

    private RingFileExample() {}

    /// Runs the example. With three arguments, it is a producer of the example.
    ///
    /// @param args the directory in which a directory for the file is created; or the file, the number of the producer,
    ///             and a number of orders
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        if (args.length == 3) {
            send(Path.of(args[0]), Integer.parseInt(args[1]), Long.parseLong(args[2]));
        } else {
            run(System.out, Path.of(args[0]), 1_000_000);
        }
    }

    /// @param count the number of orders that each process sends
    static void run(PrintStream out, Path temporary, long count) throws IOException, InterruptedException {
        List<Process> producers = new ArrayList<>();
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-orders-");
                RingFile file = RingFile.openOrCreate(created.path().resolve("orders"), CAPACITY)) {
            RingBuffer ring = file.newReader();
            Received received = new Received(PRODUCERS);
            for (int producer = 0; producer < PRODUCERS; producer++) {
                producers.add(start(file.path(), producer, count));
            }
            while (producers.stream().anyMatch(Process::isAlive) || !ring.isEmpty()) {
                ring.poll((type, segment, offset, _) -> received.add(type, ORDERS.get(segment, offset)), 100,
                        WaitStrategy.futex(), 100_000_000);
            }
            if (received.total() != PRODUCERS * count) {
                throw new IllegalStateException("Orders were lost: total=" + received.total() + ", output="
                        + output(producers));
            }
            out.printf(Locale.ROOT, "%,d orders of two processes have arrived, skipped claims: %d%n",
                    received.total(), file.skippedClaims());
        } finally {
            producers.forEach(Process::destroyForcibly);
        }
    }

    private static Process start(Path file, int producer, long count) throws IOException {
        List<String> command = JavaCommand.of("--enable-native-access=ALL-UNNAMED", "-cp",
                System.getProperty("java.class.path"), RingFileExample.class.getName(), file.toString(),
                Integer.toString(producer), Long.toString(count));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String output(List<Process> processes) throws IOException {
        StringBuilder output = new StringBuilder();
        for (Process process : processes) {
            output.append(new String(process.getInputStream().readAllBytes(), UTF_8));
        }
        return output.toString();
    }

    private static void send(Path path, int producer, long count) throws IOException {
        try (RingFile file = RingFile.openOrCreate(path, CAPACITY)) {
            RingBuffer ring = file.newProducer(); // for one thread
            for (long id = 0; id < count; id++) {
                long at = claim(ring);
                ORDERS.set(ring.segment(), at, SharedOrder.of(id));
                ring.commit(at, producer);
            }
            if (producer == 0) {
                claim(ring);
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /// Claims space for an order. Waits while the ring is full.
    private static long claim(RingBuffer ring) {
        long at = ring.claim(ORDERS.layout().byteSize());
        while (at == RingBuffer.FULL) {
            LockSupport.parkNanos(50_000);
            at = ring.claim(ORDERS.layout().byteSize());
        }
        return at;
    }
}
