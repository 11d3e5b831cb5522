package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.function.UnaryOperator;
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

    /// The JDK's arena: open, allocate zeroed memory, close.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(byteSize).address();
        }
    }

    /// A slice of a file of 1 TiB, for one thread. The catalog records the size.
    @Benchmark
    @CandidateName("InfiniteArena chunked")
    public long chunkedConfined(Confined chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A slice for one thread. The catalog records time and thread as well.
    @Benchmark
    @CandidateName("InfiniteArena chunked, full catalog")
    public long chunkedConfinedFull(ConfinedFull chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A slice for one thread, without a catalog.
    @Benchmark
    @CandidateName("InfiniteArena chunked, no catalog")
    public long chunkedConfinedOff(ConfinedOff chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A slice of a file of 1 TiB, for all threads. The catalog records the size.
    @Benchmark
    @CandidateName("InfiniteArena chunked shared")
    public long chunkedShared(Shared chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A slice for all threads. The catalog records time and thread as well.
    @Benchmark
    @CandidateName("InfiniteArena chunked shared, full catalog")
    public long chunkedSharedFull(SharedFull chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A slice for all threads, without a catalog.
    @Benchmark
    @CandidateName("InfiniteArena chunked shared, no catalog")
    public long chunkedSharedOff(SharedOff chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A file per allocation; the catalog records time and thread as well.
    @Benchmark
    @CandidateName("InfiniteArena file each")
    public long filePerAllocation(FileEach files) {
        return files.arena.allocate(byteSize).address();
    }

    /// A chunked arena, replaced after each iteration, since its catalog grows by gigabytes.
    abstract static class Chunked {
        private final Scratch scratch = new Scratch();
        private final InfiniteArena.Builder builder;
        InfiniteArena arena;

        Chunked(UnaryOperator<InfiniteArena.Builder> choice) {
            builder = choice.apply(InfiniteArena.builder(scratch.base()).chunked().deleteOnClose());
            arena = builder.build();
        }

        /// Replaces the arena.
        @TearDown(Level.Iteration)
        public void exchange() {
            SetupTime.run(this::replace);
        }

        private void replace() {
            arena.close();
            arena = builder.build();
        }

        /// Deletes the files.
        @TearDown
        public void close() throws IOException {
            arena.close();
            scratch.delete();
        }
    }

    /// A confined arena with the default catalog.
    @State(Scope.Thread)
    public static class Confined extends Chunked {
        /// Chooses the arena.
        public Confined() {
            super(builder -> builder.confined());
        }
    }

    /// A confined arena with the full catalog.
    @State(Scope.Thread)
    public static class ConfinedFull extends Chunked {
        /// Chooses the arena.
        public ConfinedFull() {
            super(builder -> builder.confined().catalog(CatalogLevel.FULL));
        }
    }

    /// A confined arena without a catalog.
    @State(Scope.Thread)
    public static class ConfinedOff extends Chunked {
        /// Chooses the arena.
        public ConfinedOff() {
            super(builder -> builder.confined().catalog(CatalogLevel.OFF));
        }
    }

    /// A shared arena with the default catalog.
    @State(Scope.Benchmark)
    public static class Shared extends Chunked {
        /// Chooses the arena.
        public Shared() {
            super(builder -> builder);
        }
    }

    /// A shared arena with the full catalog.
    @State(Scope.Benchmark)
    public static class SharedFull extends Chunked {
        /// Chooses the arena.
        public SharedFull() {
            super(builder -> builder.catalog(CatalogLevel.FULL));
        }
    }

    /// A shared arena without a catalog.
    @State(Scope.Benchmark)
    public static class SharedOff extends Chunked {
        /// Chooses the arena.
        public SharedOff() {
            super(builder -> builder.catalog(CatalogLevel.OFF));
        }
    }

    /// An arena with a file per allocation, replaced before it reaches the limit of 10,000 mappings.
    @State(Scope.Thread)
    public static class FileEach {
        private static final int MOST_FILES = 5_000;

        private final Scratch scratch = new Scratch();
        private int files;
        InfiniteArena arena = open();

        private InfiniteArena open() {
            return InfiniteArena.builder(scratch.base()).deleteOnClose().build();
        }

        /// Replaces the arena. JMH stops the clock meanwhile, which costs tens of nanoseconds; the figures are
        /// microseconds.
        @Setup(Level.Invocation)
        public void exchange() {
            if (++files > MOST_FILES) {
                SetupTime.run(this::replace);
            }
        }

        private void replace() {
            arena.close();
            arena = open();
            files = 1;
        }

        /// Deletes the directory.
        @TearDown
        public void delete() throws IOException {
            arena.close();
            scratch.delete();
        }
    }
}
