package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures how 1 MiB of a file in a chunked arena gets its space on the disk and gives it back.
@BenchmarkName(value = "disk space", baseline = "allocate, sparse",
        measures = "Reserves, prefaults or frees 1 MiB of a file in a chunked arena.")
public class DiskSpace extends MicroBenchmark {
    private static final long BYTE_SIZE = 1 << 20;
    private static final long PAGE = 4096;
    private static final long MOST_BYTES = 256L << 20;

    /// Allocates only.
    @Benchmark
    @CandidateName("allocate, sparse")
    public long sparse(Sparse arena) {
        return arena.allocate().address();
    }

    /// Allocates, and reserves the blocks.
    @Benchmark
    @CandidateName("allocate, reserved")
    public long reserved(Reserved arena) {
        return arena.allocate().address();
    }

    /// Allocates and stores to each page.
    @Benchmark
    @CandidateName("allocate, touch")
    public long touched(Sparse arena) {
        return touch(arena.allocate());
    }

    /// Allocates and stores to each page, in a reserved arena.
    @Benchmark
    @CandidateName("allocate reserved, touch")
    public long touchedReserved(Reserved arena) {
        return touch(arena.allocate());
    }

    /// Allocates, prefaults, and stores to each page.
    @Benchmark
    @CandidateName("allocate, prefault, touch")
    public long prefaulted(Sparse arena) {
        MemorySegment segment = arena.allocate();
        arena.arena.prefault(segment);
        return touch(segment);
    }

    /// Allocates, stores to each page, and frees.
    @Benchmark
    @CandidateName("allocate, touch, free")
    public long freed(Sparse arena) {
        MemorySegment segment = arena.allocate();
        long last = touch(segment);
        arena.arena.free(segment);
        return last;
    }

    private static long touch(MemorySegment segment) {
        for (long at = 0; at < BYTE_SIZE; at += PAGE) {
            segment.set(JAVA_LONG, at, at);
        }
        return segment.get(JAVA_LONG, BYTE_SIZE - PAGE);
    }

    /// An arena that is replaced, outside of the measurement, before it takes more than 256 MiB.
    abstract static class Arena {
        private final Scratch scratch = new Scratch();
        private final InfiniteArena.Builder builder;
        private long allocated;
        InfiniteArena arena;

        Arena(UnaryOperator<InfiniteArena.Builder> choice) {
            builder = choice.apply(InfiniteArena.builder(scratch.base()).chunked().deleteOnClose());
            arena = builder.build();
        }

        MemorySegment allocate() {
            allocated += BYTE_SIZE;
            return arena.allocate(BYTE_SIZE, PAGE);
        }

        /// Replaces the arena.
        @Setup(Level.Invocation)
        public void exchange() {
            if (allocated == MOST_BYTES) {
                SetupTime.run(this::replace);
            }
        }

        private void replace() {
            arena.close();
            arena = builder.build();
            allocated = 0;
        }

        /// Deletes the files.
        @TearDown
        public void delete() throws IOException {
            arena.close();
            scratch.delete();
        }
    }

    /// A sparse arena.
    @State(Scope.Thread)
    public static class Sparse extends Arena {
        /// Chooses the arena.
        public Sparse() {
            super(builder -> builder);
        }
    }

    /// A reserved arena.
    @State(Scope.Thread)
    public static class Reserved extends Arena {
        /// Chooses the arena.
        public Reserved() {
            super(InfiniteArena.Builder::reserved);
        }
    }
}
