package dev.arenakit.examples;

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

/// Lets two processes count together: on one number in memory that both of them have mapped, by compare-and-set.
public final class SharedCounterExample {
    private static final String NAME = "counter";
    private static final RecordMapper<Counter> COUNTERS = RecordMapper.of(Counter.class);
    private static final LongField COUNT = COUNTERS.longField("count");
    private static final LongField ATTACHED = COUNTERS.longField("attached");

    private SharedCounterExample() {}

    /// @param attached how many processes have come to count
    record Counter(long count, long attached) {}

    /// Runs the example, or is the second process.
    ///
    /// @param args the directory in which to make a directory for the image; or the base of the image, and how often to count
    /// @throws Exception when something unforeseen happens
    public static void main(String[] args) throws Exception {
        if (args.length == 2) {
            attachAndCount(Path.of(args[0]), Long.parseLong(args[1]));
        } else {
            run(System.out, Path.of(args[0]), 10_000_000);
        }
    }

    /// @param limit how far to count, half of it in each process
    static void run(PrintStream out, Path temporary, long limit) throws IOException, InterruptedException {
        try (Workplace workplace = Workplace.in(temporary, "arenakit-counter-");
                InfiniteArena arena = InfiniteArena.ofShared(workplace.path().resolve("shared"))) {
            MemorySegment counter = arena.allocate(NAME, COUNTERS.type(), 1);
            Process other = start(arena.base(), limit / 2);
            try {
                while (ATTACHED.getVolatile(counter, 0) == 0 && other.isAlive()) {
                    Thread.onSpinWait();
                }
                long begin = System.nanoTime();
                count(counter, limit / 2);
                String told = new String(other.getInputStream().readAllBytes(), UTF_8);
                double nanos = System.nanoTime() - begin;
                long count = COUNT.get(counter, 0);
                if (other.waitFor() != 0 || count != limit) {
                    throw new IllegalStateException("Counts were lost: count=" + count + ", limit=" + limit + ", told="
                            + told);
                }
                out.printf(Locale.ROOT, "Two processes have counted to %,d, %.1f ns each time.%n", count,
                        nanos / limit);
            } finally {
                other.destroyForcibly();
            }
        }
    }

    private static Process start(Path base, long times) throws IOException {
        List<String> command = Java.command("-cp", System.getProperty("java.class.path"),
                SharedCounterExample.class.getName(), base.toString(), Long.toString(times));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void attachAndCount(Path base, long times) throws IOException {
        try (ArenaImage image = ArenaImage.attach(base); Arena arena = Arena.ofConfined()) {
            MemorySegment counter = image.segment(image.find(NAME).orElseThrow(), arena);
            ATTACHED.getAndAdd(counter, 0, 1);
            count(counter, times);
        }
    }

    /// Counts a number of times, whatever the other process does meanwhile.
    private static void count(MemorySegment counter, long times) {
        for (long own = 0; own < times;) {
            long seen = COUNT.getVolatile(counter, 0);
            if (COUNT.compareAndSet(counter, 0, seen, seen + 1)) {
                own++;
            }
        }
    }
}
