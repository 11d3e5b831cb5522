package dev.arenakit.examples.libc;

import dev.arenakit.SlabPool;
import dev.arenakit.SlabPoolStatistics;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Locale;

/// Calls a C library with memory of a [SlabPool]. Its arenas use the same memory one after the other.
public final class LibcExample {
    private static final int ROUNDS = 10_000;

    private LibcExample() {}

    /// Runs the example with [HandWrittenLibc]. `GeneratedLibc` runs it with the bindings that jextract has generated.
    ///
    /// @param args a file
    /// @throws IOException if the file does not exist
    public static void main(String[] args) throws IOException {
        run(System.out, Path.of(args[0]), new HandWrittenLibc());
    }

    static void run(PrintStream out, Path file, Libc libc) throws IOException {
        try (SlabPool pool = SlabPool.create()) {
            try (Arena arena = pool.openConfined()) {
                out.printf(Locale.ROOT, "stat         %s: %,d bytes%n", file, libc.byteSize(arena, file));
                out.printf("regexec      %s%n", libc.match(arena, "([a-z]+)=([0-9]+)", "height=480; width=640"));
                out.printf("getaddrinfo  %s%n", libc.resolve(arena, "127.1", 8080));
            }
            for (int i = 0; i < ROUNDS; i++) {
                try (Arena arena = pool.openConfined()) {
                    libc.byteSize(arena, file);
                    libc.match(arena, "([a-z]+)=([0-9]+)", "height=480; width=640");
                    libc.resolve(arena, "127.1", 8080);
                }
            }
            SlabPoolStatistics statistics = pool.stats();
            out.printf(Locale.ROOT, "%,d more rounds of all three, each in an arena of its own, used the same %d KiB%n",
                    ROUNDS, (statistics.usedByteSize() + statistics.idleByteSize()) / 1024);
        }
    }
}
