package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.SetupTime;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of the first store to a page of a large sparse file. The pages are far from each other and in no
/// order. The file is deleted and started again after 64 MiB of stores, outside of the measurement.
@BenchmarkName(value = "random first touch", baseline = "InfiniteArena",
        measures = "Stores to untouched pages of a large sparse file that are far from each other and in no "
                + "order.")
public class RandomTouch extends MicroBenchmark {
    private static final long PAGE = 4096;
    private static final long PAGES = 1L << 26;
    private static final int MOST_STORES = 1 << 14;

    /// Without advice.
    @Benchmark
    @CandidateName("InfiniteArena")
    public long normal(Normal pages) {
        return pages.touch();
    }

    /// With `randomAccess()`.
    @Benchmark
    @CandidateName("InfiniteArena, randomAccess()")
    public long randomAccess(RandomAccess pages) {
        return pages.touch();
    }

    /// The pages of a file of 256 GiB.
    abstract static class Pages {
        /// The step is odd, so that no page repeats.
        private static final long STEP = 0x9e37_79b9_7f4a_7c15L;

        private final Scratch scratch = new Scratch();
        private final InfiniteArena.Builder builder;
        private InfiniteArena arena;
        private MemorySegment block;
        private int stores;
        private long page;

        Pages(boolean isRandom) {
            InfiniteArena.Builder plain = InfiniteArena.builder(scratch.base()).deleteOnClose();
            builder = isRandom ? plain.randomAccess() : plain;
            arena = builder.build();
            block = arena.allocate(PAGES * PAGE, PAGE);
        }

        long touch() {
            stores++;
            page += STEP;
            long offset = (page >>> 38) * PAGE;
            block.set(JAVA_LONG, offset, stores);
            return block.get(JAVA_LONG, offset);
        }

        /// Replaces the file.
        @Setup(Level.Invocation)
        public void exchange() {
            if (stores == MOST_STORES) {
                SetupTime.run(this::replace);
            }
        }

        private void replace() {
            arena.close();
            arena = builder.build();
            block = arena.allocate(PAGES * PAGE, PAGE);
            stores = 0;
        }

        /// Deletes the file.
        @TearDown
        public void delete() throws IOException {
            arena.close();
            scratch.delete();
        }
    }

    /// Pages without advice.
    @State(Scope.Thread)
    public static class Normal extends Pages {
        /// Chooses the arena.
        public Normal() {
            super(false);
        }
    }

    /// Pages for random access.
    @State(Scope.Thread)
    public static class RandomAccess extends Pages {
        /// Chooses the arena.
        public RandomAccess() {
            super(true);
        }
    }
}
