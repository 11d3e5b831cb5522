package dev.arenakit.bench.micro.arena;

import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import dev.arenakit.diagnostics.DebugArena;
import dev.arenakit.diagnostics.DebugOptions;
import dev.arenakit.mapped.trace.AllocationTrace;
import dev.arenakit.mapped.trace.TraceRecorder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures what debug arenas cost: opens an arena, allocates ten blocks of 32 bytes, writes one long into each and
/// reads it back, and closes the arena.
///
/// LWJGL's debug allocator records the stack of each block, and checks neither bounds nor contents.
@BenchmarkName(value = "debug modes", baseline = "Arena.ofConfined",
        measures = "Opens an arena, allocates ten blocks of 32 bytes, writes one long into each and reads it back, and "
                + "closes it.")
public class DebugModes extends MicroBenchmark {
    private static final long BYTE_SIZE = 32;
    private static final int BLOCKS = 10;
    private static final DebugOptions TO_FILES = DebugOptions.behind()
            .withBlockFilesIn(Path.of(System.getProperty("java.io.tmpdir")));
    private static final DebugOptions BEHIND = DebugOptions.behind().withoutBlockFiles();
    private static final DebugOptions CANARIES = DebugOptions.canaries();

    /// No debug arena.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long plain() {
        return use(Arena.ofConfined());
    }

    /// Canaries.
    @Benchmark
    @CandidateName("DebugArena canaries")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long canaries() {
        return use(DebugArena.wrap(Arena.ofConfined(), CANARIES));
    }

    /// Guard pages, without a block file.
    @Benchmark
    @CandidateName("DebugArena guard pages")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long guardPages() {
        return use(DebugArena.wrap(Arena.ofConfined(), BEHIND));
    }

    /// Guard pages and a block file.
    @Benchmark
    @CandidateName("DebugArena guard pages, block file")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long blockFile() {
        return use(DebugArena.wrap(Arena.ofConfined(), TO_FILES));
    }

    /// An arena whose calls are recorded: twelve events.
    @Benchmark
    @CandidateName("TraceRecorder")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long recorded(Recording recording) {
        return use(Objects.requireNonNull(recording.recorder).wrap(Arena.ofConfined()));
    }

    /// A trace in a directory of its own.
    @State(Scope.Benchmark)
    public static class Recording {
        private @Nullable Path directory;
        private @Nullable TraceRecorder recorder;

        /// Begins the trace.
        ///
        /// @throws IOException if there is no directory for it
        @Setup
        public void begin() throws IOException {
            directory = Files.createTempDirectory("arenakit-bench-");
            recorder = AllocationTrace.record(directory.resolve("trace"));
        }

        /// Removes the trace.
        ///
        /// @throws IOException if it cannot be removed
        @TearDown
        public void remove() throws IOException {
            Objects.requireNonNull(recorder).close();
            for (String name : List.of("trace.catalog", "trace.lock", "trace-0", "")) {
                Files.deleteIfExists(Objects.requireNonNull(directory).resolve(name));
            }
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long use(Arena opened) {
        try (Arena arena = opened) {
            long sum = 0;
            for (int i = 0; i < BLOCKS; i++) {
                MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
                block.set(JAVA_LONG, 0, i);
                sum += block.get(JAVA_LONG, 0);
            }
            return sum;
        }
    }
}
