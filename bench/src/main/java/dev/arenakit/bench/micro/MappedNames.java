package dev.arenakit.bench.micro;

import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.layout.type.StructType;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of names of 16 characters in a long-lived arena, against a whole lifetime of the JDK's arena.
///
/// The memory is not touched. Each allocation adds two lines to the catalog, so the arena is replaced after each
/// iteration.
@BenchmarkName(value = "mapped names",
        measures = "Allocates, finds or frees memory by a name of 16 characters in a long-lived arena in files.")
public class MappedNames extends MicroBenchmark {
    private static final StructType TYPE = Quote.RECORDS.type();
    private static final int NAMES = 1 << 12;
    /// The number of live names.
    private static final int LIVE = 1 << 10;

    private final Scratch scratch = new Scratch();
    private final InfiniteArena.Builder builder = InfiniteArena.builder(scratch.base())
            .chunked()
            .confined()
            .deleteOnClose();
    private final String[] names = IntStream.range(0, NAMES)
            .mapToObj("allocation-%05d"::formatted)
            .toArray(String[]::new);
    private InfiniteArena arena = builder.build();
    private int first;
    private int next;

    /// Makes the live names.
    public MappedNames() {
        fill();
    }

    private void fill() {
        for (int i = 0; i < LIVE; i++) {
            arena.allocate(name(first + i), TYPE, 1);
        }
    }

    private String name(int i) {
        return names[i & (NAMES - 1)];
    }

    /// Replaces the arena.
    @TearDown(Level.Iteration)
    public void exchange() {
        arena.close();
        arena = builder.build();
        fill();
    }

    /// Deletes the files.
    @TearDown
    public void close() throws IOException {
        arena.close();
        scratch.delete();
    }

    /// The JDK's arena: open, allocate zeroed memory for a struct, close.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(TYPE.byteSize(), TYPE.byteAlignment()).address();
        }
    }

    /// Allocates a struct with a name, and frees the oldest of 1,024 names.
    @Benchmark
    @CandidateName("InfiniteArena, allocate and free a name")
    public long allocateAndFree() {
        arena.free(name(first));
        long address = arena.allocate(name(first + LIVE), TYPE, 1).address();
        first++;
        return address;
    }

    /// Finds a name among 1,024, and checks its type.
    @Benchmark
    @CandidateName("InfiniteArena, find a name")
    public long find() {
        return arena.find(name(nextLive()), TYPE).orElseThrow().address();
    }

    /// Gets a name among 1,024 that must exist, and checks its type.
    @Benchmark
    @CandidateName("InfiniteArena, get a name")
    public long get() {
        return arena.get(name(nextLive()), TYPE).address();
    }

    private int nextLive() {
        return first + (next++ & (LIVE - 1));
    }
}
