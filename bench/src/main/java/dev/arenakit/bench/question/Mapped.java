package dev.arenakit.bench.question;

import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import dev.arenakit.mapped.CatalogLevel;
import dev.arenakit.mapped.InfiniteArena;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What does an allocation in files cost, in an arena that lives long, against a whole lifetime of the JDK's arena?
///
/// The memory is not touched, and what is returned is its address. A gigabyte per second would have to go to the disk
/// otherwise, and the question would be how fast it does.
@Question("mapped")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class Mapped {
    /// Size of an allocation.
    @Param("100")
    public long byteSize;

    /// The JDK's arena: open, allocate zeroed memory, close.
    @Benchmark
    @Label("Arena.ofConfined")
    public long ofConfined() {
        try (Arena arena = Arena.ofConfined()) {
            return arena.allocate(byteSize).address();
        }
    }

    /// A piece of a file of 1 TiB, for one thread; its size is recorded.
    @Benchmark
    @Label("InfiniteArena chunked")
    public long chunkedConfined(Confined chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// The same, recorded with time and thread.
    @Benchmark
    @Label("InfiniteArena chunked, full catalog")
    public long chunkedConfinedFull(ConfinedFull chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// The same, not recorded.
    @Benchmark
    @Label("InfiniteArena chunked, no catalog")
    public long chunkedConfinedOff(ConfinedOff chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A piece of a file of 1 TiB, for all threads; its size is recorded.
    @Benchmark
    @Label("InfiniteArena chunked shared")
    public long chunkedShared(Shared chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// The same, recorded with time and thread.
    @Benchmark
    @Label("InfiniteArena chunked shared, full catalog")
    public long chunkedSharedFull(SharedFull chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// The same, not recorded.
    @Benchmark
    @Label("InfiniteArena chunked shared, no catalog")
    public long chunkedSharedOff(SharedOff chunked) {
        return chunked.arena.allocate(byteSize).address();
    }

    /// A file of its own, recorded with time and thread.
    @Benchmark
    @Label("InfiniteArena file each")
    public long filePerAllocation(FileEach files) {
        return files.arena.allocate(byteSize).address();
    }

    /// A chunked arena, exchanged after each iteration: its catalog grows by gigabytes.
    abstract static class Chunked {
        private final Scratch scratch = new Scratch();
        private final InfiniteArena.Builder builder;
        InfiniteArena arena;

        Chunked(UnaryOperator<InfiniteArena.Builder> choice) {
            builder = choice.apply(InfiniteArena.builder(scratch.base()).chunked().deleteOnClose());
            arena = builder.build();
        }

        /// Exchanges the arena.
        @TearDown(Level.Iteration)
        public void exchange() {
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

    /// For the benchmark's thread, with the catalog that it has by default.
    @State(Scope.Thread)
    public static class Confined extends Chunked {
        /// Chooses.
        public Confined() {
            super(builder -> builder.confined());
        }
    }

    /// For the benchmark's thread, with all in the catalog.
    @State(Scope.Thread)
    public static class ConfinedFull extends Chunked {
        /// Chooses.
        public ConfinedFull() {
            super(builder -> builder.confined().catalog(CatalogLevel.FULL));
        }
    }

    /// For the benchmark's thread, without a catalog.
    @State(Scope.Thread)
    public static class ConfinedOff extends Chunked {
        /// Chooses.
        public ConfinedOff() {
            super(builder -> builder.confined().catalog(CatalogLevel.OFF));
        }
    }

    /// For all threads, with the catalog that it has by default.
    @State(Scope.Benchmark)
    public static class Shared extends Chunked {
        /// Chooses.
        public Shared() {
            super(builder -> builder);
        }
    }

    /// For all threads, with all in the catalog.
    @State(Scope.Benchmark)
    public static class SharedFull extends Chunked {
        /// Chooses.
        public SharedFull() {
            super(builder -> builder.catalog(CatalogLevel.FULL));
        }
    }

    /// For all threads, without a catalog.
    @State(Scope.Benchmark)
    public static class SharedOff extends Chunked {
        /// Chooses.
        public SharedOff() {
            super(builder -> builder.catalog(CatalogLevel.OFF));
        }
    }

    /// An arena with a file for each allocation, exchanged before it reaches the limit of 10,000 mappings.
    @State(Scope.Thread)
    public static class FileEach {
        private static final int MOST_FILES = 5_000;

        private final Scratch scratch = new Scratch();
        private int files;
        InfiniteArena arena = open();

        private InfiniteArena open() {
            return InfiniteArena.builder(scratch.base()).deleteOnClose().build();
        }

        /// Exchanges the arena; JMH stops the clock meanwhile, which costs tens of nanoseconds where microseconds are
        /// measured.
        @Setup(Level.Invocation)
        public void exchange() throws InterruptedException {
            if (++files > MOST_FILES) {
                close();
                arena = open();
                files = 1;
            }
        }

        /// Deletes the directory.
        @TearDown
        public void delete() throws InterruptedException, IOException {
            close();
            scratch.delete();
        }

        /// On another thread, so that the CPU time of deleting thousands of files is not taken for that of making them.
        private void close() throws InterruptedException {
            Thread.ofPlatform().start(arena::close).join();
        }
    }
}
