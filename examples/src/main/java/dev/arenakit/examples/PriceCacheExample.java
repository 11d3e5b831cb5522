package dev.arenakit.examples;

import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/// Kills a process while it updates a [PriceCache], inspects the image that it leaves, and continues with that image.
public final class PriceCacheExample {
    private static final String BASE = "market";

    private final PrintStream out;
    private final Path arenaJar;
    private final Path directory;
    private final long capacity;
    private final long count;

    /// @param arenaJar  the `arena` command
    /// @param directory directory of the image
    /// @param capacity  number of table entries, one for each possible instrument number; an entry takes 32 bytes
    /// @param count     number of instruments, at most half the capacity and a multiple of 20
    PriceCacheExample(PrintStream out, Path arenaJar, Path directory, long capacity, long count) {
        this.out = out;
        this.arenaJar = arenaJar;
        this.directory = directory;
        this.capacity = capacity;
        this.count = count;
    }

    /// Runs the example with 100,000 prices in a table of 64 MiB.
    ///
    /// @param args path of arena.jar, and the directory in which a directory for the image is created
    /// @throws Exception if the example fails
    public static void main(String[] args) throws Exception {
        try (TemporaryDirectory created = TemporaryDirectory.in(Path.of(args[1]), "arenakit-prices-")) {
            new PriceCacheExample(System.out, Path.of(args[0]), created.path(), 1 << 21, 100_000)
                    .run(Duration.ofMillis(200));
        } catch (CannotShowException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    /// @param lifetime time for which the process updates prices before it is killed
    void run(Duration lifetime) throws CannotShowException, IOException, InterruptedException {
        ArenaCommand arena = new ArenaCommand(arenaJar, out);
        Path base = directory.resolve(BASE);
        try (DoomedProcess writer = DoomedProcess.start(PriceWriter.class, base.toString(), Long.toString(capacity),
                Long.toString(count))) {
            DoomedProcess.Death death = writer.killAfter(lifetime);
            out.printf(Locale.ROOT,
                    "A process with %,d prices is killed after at least %,d updates.%n%n",
                    count, death.reached());
        }
        arena.run(directory, "ls", BASE);
        arena.run(directory, "show", BASE, "prices", "--limit", "3");
        arena.run(directory, "verify", BASE);
        reopen(base);
        arena.run(directory, "ls", BASE);
        arena.run(directory, "verify", BASE);
    }

    /// Reopens the image, as the next process does. All prices are available at once, without loading.
    private void reopen(Path base) throws CannotShowException {
        try (InfiniteArena image = InfiniteArena.builder(base).reopen()) {
            PriceCache cache = PriceCache.find(image);
            long unfinished = 0;
            long found = 0;
            for (long i = 0; i < count; i++) {
                long instrument = PriceWriter.instrument(i, cache.capacity(), count);
                unfinished += cache.removeUnfinished(instrument) ? 1 : 0;
                OptionalDouble spread = cache.spread(instrument);
                found += spread.isPresent() && spread.getAsDouble() == PriceWriter.SPREAD ? 1 : 0;
                PriceWriter.put(cache, instrument, 99);
            }
            if (found + unfinished != count || unfinished > 1) {
                throw new CannotShowException("Prices were lost: found=" + found + ", unfinished=" + unfinished
                        + ", expected=" + count);
            }
            out.printf(Locale.ROOT,
                    "Another process reopens the image: it finds %,d prices, removes at most one that is half%n"
                            + "written, and stores new prices.%n%n",
                    count);
        }
    }
}
