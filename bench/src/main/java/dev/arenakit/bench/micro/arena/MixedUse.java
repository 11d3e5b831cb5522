package dev.arenakit.bench.micro.arena;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.WorkloadState;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a confined arena with the blocks of a workload in a process that has also used arenas in other
/// ways.
///
/// The compiler optimizes for the types and branches that it has seen, for all callers alike. One part of a program may
/// therefore slow down arenas in another part.
@BenchmarkName(value = "mixed use",
        measures = "Opens, uses and closes an arena in a process that has used arenas in other ways before.")
public class MixedUse extends MicroBenchmark {
    /// No arena.
    public static final String NOTHING = "nothing";
    /// Arenas, some of which need several slabs.
    public static final String SEVERAL_SLABS = "several slabs";
    /// Arenas, some of which have a block that is too large for a slab.
    public static final String LARGE_BLOCKS = "large blocks";
    /// Frames of arenas.
    public static final String FRAMES = "frames";
    /// Some shared arenas among confined arenas.
    public static final String SHARED_ARENAS = "shared arenas";
    /// Arenas of the JDK at the call sites that are measured.
    public static final String JDK_ARENAS = "JDK arenas";
    /// All of these uses in turn.
    public static final String EVERYTHING = "everything";

    private static final List<String> EACH = List.of(SEVERAL_SLABS, LARGE_BLOCKS, FRAMES, SHARED_ARENAS, JDK_ARENAS);

    private static final SlabPool POOL = SlabPool.builder().unzeroed().build();
    /// Enough rounds for C2 to compile everything. This matters only if the benchmark itself is warmed up.
    private static final int ROUNDS = 100_000;

    /// What the process has done with arenas before.
    @Param({NOTHING, SEVERAL_SLABS, LARGE_BLOCKS, FRAMES, SHARED_ARENAS, JDK_ARENAS, EVERYTHING})
    public String before = "";

    /// Uses arenas of the pool as the parameter says.
    @Setup
    public void useSlabs(WorkloadState work, BenchmarkParams run) {
        use(work, run, POOL::openConfined, POOL::openShared);
    }

    /// Uses arenas of the JDK as the parameter says; a frame is an arena there.
    @Setup
    public void useOthers(WorkloadState work, BenchmarkParams run) {
        use(work, run, Arena::ofConfined, Arena::ofShared);
    }

    /// Arenas of a pool.
    @Benchmark
    @CandidateName("SlabArena unzeroed")
    @MemoryTraits(checked = true, scoped = true)
    public long slab(WorkloadState work) {
        try (Arena arena = POOL.openConfined()) {
            return work.run(arena);
        }
    }

    /// Arenas over malloc, in a process that has used them, too, as the parameter says.
    @Benchmark
    @CandidateName("MallocArena")
    @MemoryTraits(checked = true, scoped = true)
    public long mallocArena(WorkloadState work, OfMalloc used) {
        try (Arena arena = MallocArena.ofConfined()) {
            return work.run(arena);
        }
    }

    /// Arenas of the JDK.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long confined(WorkloadState work) {
        try (Arena arena = Arena.ofConfined()) {
            return work.run(arena);
        }
    }

    private void use(WorkloadState work, BenchmarkParams run, Supplier<? extends Arena> confined,
            Supplier<? extends Arena> shared) {
        int rounds = run.getWarmup().getCount() == 0 ? 100 : ROUNDS;
        List<String> uses = before.equals(EVERYTHING) ? EACH : List.of(before);
        for (int i = 0; i < rounds; i++) {
            for (String use : uses) {
                use(use, work, i, confined, shared);
            }
        }
    }

    private static void use(String how, WorkloadState work, int round, Supplier<? extends Arena> confined,
            Supplier<? extends Arena> shared) {
        switch (how) {
            case NOTHING -> {
                // This case is the baseline, and uses no arenas.
            }
            case SEVERAL_SLABS -> allocate(confined, 16_000, round % 10 == 0 ? 6 : 1);
            case LARGE_BLOCKS -> allocate(confined, round % 10 == 0 ? 100_000 : 32, 1);
            case FRAMES -> allocateInFrame(confined);
            // Each close is a handshake of all threads.
            case SHARED_ARENAS -> allocate(round % 1_000 == 0 ? shared : confined, 32, 100);
            case JDK_ARENAS -> {
                try (Arena arena = Arena.ofConfined()) {
                    work.run(arena);
                }
            }
            default -> throw new IllegalArgumentException("No such use: before=" + how);
        }
    }

    private static void allocate(Supplier<? extends Arena> arenas, long byteSize, int count) {
        try (Arena arena = arenas.get()) {
            for (int i = 0; i < count; i++) {
                arena.allocate(byteSize, Long.BYTES).set(JAVA_LONG, 0, i);
            }
        }
    }

    private static void allocateInFrame(Supplier<? extends Arena> arenas) {
        try (Arena arena = arenas.get();
                Arena frame = arena instanceof SlabArena slab ? slab.pushFrame() : arenas.get()) {
            frame.allocate(32, Long.BYTES).set(JAVA_LONG, 0, 1);
        }
    }

    /// Uses of arenas over malloc, which the other candidates do without.
    @State(Scope.Thread)
    public static class OfMalloc {
        /// Uses the arenas as the parameter says; a frame is an arena here.
        @Setup
        public void use(MixedUse benchmark, WorkloadState work, BenchmarkParams run) {
            benchmark.use(work, run, MallocArena::ofConfined, MallocArena::ofShared);
        }
    }
}
