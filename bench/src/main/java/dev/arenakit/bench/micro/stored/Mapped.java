package dev.arenakit.bench.micro.stored;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InfiniteArena;
import dev.arenakit.mapped.InfiniteArenaBuilder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Measures the cost of an allocation in files, in a long-lived arena, against a whole lifetime of the JDK's arena.
///
/// The memory is not touched, and its address is returned. Otherwise a gigabyte per second would go to the disk, and
/// the benchmark would measure the disk.
@BenchmarkName(value = "mapped",
        measures = "Allocates in files, in a long-lived arena, without touching the memory; the baseline opens "
                + "and closes an arena of the JDK.")
public class Mapped extends MicroBenchmark {
    /// Size of an allocation.
    @Param("100")
    public long byteSize;

    /// What the catalog records of an allocation; the JDK's arena has none.
    @Param({"SIZES", "FULL", "OFF"})
    public CatalogLevel catalog = CatalogLevel.SIZES;

    /// The JDK's arena: open, allocate zeroed memory, close.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(byteSize).address();
        }
    }

    /// A slice of a file of 1 TiB, for one thread.
    @Benchmark
    @CandidateName("InfiniteArena chunked")
    public long chunkedConfined(Confined chunked) {
        return chunked.arena().allocate(byteSize).address();
    }

    /// A slice of a file of 1 TiB, for all threads.
    @Benchmark
    @CandidateName("InfiniteArena chunked shared")
    public long chunkedShared(Shared chunked) {
        return chunked.arena().allocate(byteSize).address();
    }

    /// A chunked arena, replaced after each iteration, since its catalog grows by gigabytes.
    abstract static class Chunked {
        private final Scratch scratch = new Scratch();
        private final InfiniteArenaBuilder builder;
        private @Nullable InfiniteArena arena;

        Chunked(UnaryOperator<InfiniteArenaBuilder> threads) {
            builder = threads.apply(InfiniteArena.builder(scratch.base()).chunked().deleteOnClose());
        }

        InfiniteArena arena() {
            return Objects.requireNonNull(arena);
        }

        /// Opens the arena.
        @Setup(Level.Iteration)
        public void open(Mapped benchmark) {
            SetupTime.run(() -> arena = builder.catalog(benchmark.catalog).build());
        }

        /// Closes the arena, and deletes its files.
        @TearDown(Level.Iteration)
        public void close() {
            SetupTime.run(arena()::close);
        }

        /// Deletes the directory.
        @TearDown
        public void delete() throws IOException {
            scratch.delete();
        }
    }

    /// A confined arena.
    @State(Scope.Thread)
    public static class Confined extends Chunked {
        /// Chooses the arena.
        public Confined() {
            super(InfiniteArenaBuilder::confined);
        }
    }

    /// A shared arena.
    @State(Scope.Benchmark)
    public static class Shared extends Chunked {
        /// Chooses the arena.
        public Shared() {
            super(builder -> builder);
        }
    }
}
