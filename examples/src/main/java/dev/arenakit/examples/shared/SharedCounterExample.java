package dev.arenakit.examples.shared;

import dev.arenakit.examples.process.JavaCommand;
import dev.arenakit.examples.process.TemporaryDirectory;
import dev.arenakit.layout.LongField;
import dev.arenakit.layout.RecordMapper;
import dev.arenakit.mapped.ArenaImage;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Increments one counter from two processes, which both map its memory and add to it atomically.
public final class SharedCounterExample {
    private static final String NAME = "counter";
    private static final RecordMapper<Counter> COUNTERS = RecordMapper.of(Counter.class);
    private static final LongField COUNT = COUNTERS.longField("count");
    private static final LongField ATTACHED = COUNTERS.longField("attached");

    private SharedCounterExample() {}

    /// @param attached number of processes that have attached to the image
    record Counter(long count, long attached) {}

    /// Runs the example. With two arguments, it is the second process of the example.
    ///
    /// @param args the directory in which a directory for the image is created; or the base of the image and a number
    ///             of increments
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        if (args.length == 2) {
            attachAndCount(Path.of(args[0]), Long.parseLong(args[1]));
        } else {
            run(System.out, Path.of(args[0]), 10_000_000);
        }
    }

    /// @param limit the final value of the counter; each process does half of the increments
    static void run(PrintStream out, Path temporary, long limit) throws IOException, InterruptedException {
        try (TemporaryDirectory created = TemporaryDirectory.in(temporary, "arenakit-counter-");
                InfiniteArena arena = InfiniteArena.ofShared(created.path().resolve("shared"))) {
            MemorySegment counter = arena.names().allocate(NAME, COUNTERS.type(), 1);
            Process other = start(arena.base(), limit / 2);
            try {
                while (ATTACHED.getVolatileAtIndex(counter, 0) == 0 && other.isAlive()) {
                    Thread.onSpinWait();
                }
                long begin = System.nanoTime();
                count(counter, limit / 2);
                String output = new String(other.getInputStream().readAllBytes(), UTF_8);
                double nanos = System.nanoTime() - begin;
                long count = COUNT.getAtIndex(counter, 0);
                if (other.waitFor() != 0 || count != limit) {
                    throw new IllegalStateException(
                            "Increments were lost: count=" + count + ", limit=" + limit + ", output="
                                    + output);
                }
                out.printf(Locale.ROOT, "Two processes have counted to %,d: %.1f ns for each increment.%n", count,
                        nanos / limit);
            } finally {
                other.destroyForcibly();
            }
        }
    }

    private static Process start(Path base, long times) throws IOException {
        List<String> command = JavaCommand.of("-cp", System.getProperty("java.class.path"),
                SharedCounterExample.class.getName(), base.toString(), Long.toString(times));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void attachAndCount(Path base, long times) throws IOException {
        try (ArenaImage image = ArenaImage.attach(base); Arena arena = Arena.ofConfined()) {
            MemorySegment counter = image.segment(image.find(NAME).orElseThrow(), arena);
            ATTACHED.getAndAddAtIndex(counter, 0, 1);
            count(counter, times);
        }
    }

    /// Increments the counter a number of times, while the other process does the same.
    private static void count(MemorySegment counter, long times) {
        for (long i = 0; i < times; i++) {
            COUNT.getAndAddAtIndex(counter, 0, 1); // one instruction of the processor
        }
    }
}
