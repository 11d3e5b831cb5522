package dev.arenakit.bench.micro;

import dev.arenakit.SlabArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.BenchmarkParams;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a confined arena with ten blocks of 32 bytes in a process that has also used arenas in other
/// ways.
///
/// The compiler optimizes for the types and branches that it has seen, for all callers alike. One part of a program may
/// therefore slow down arenas in another part.
@BenchmarkName(value = "mixed use",
        measures = "Opens, uses and closes an arena with ten blocks in a process that has used arenas in other "
                + "ways before.")
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
    public void useSlabs(BenchmarkParams run) {
        use(run, POOL::openConfined, POOL::openShared);
    }

    /// Uses arenas of the JDK as the parameter says; a frame is an arena there.
    @Setup
    public void useOthers(BenchmarkParams run) {
        use(run, Arena::ofConfined, Arena::ofShared);
    }

    /// Arenas of a pool.
    @Benchmark
    @CandidateName("SlabArena unzeroed")
    @Memory(checked = true, scoped = true)
    public long slab() {
        try (Arena arena = POOL.openConfined()) {
            return work(arena);
        }
    }

    /// Arenas of the JDK.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    @Memory(zeroed = true, checked = true, scoped = true)
    public long confined() {
        try (Arena arena = Arena.ofConfined()) {
            return work(arena);
        }
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long work(Arena arena) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            MemorySegment block = arena.allocate(32, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            sum += block.get(JAVA_LONG, 0);
        }
        return sum;
    }

    private void use(BenchmarkParams run, Supplier<? extends Arena> confined, Supplier<? extends Arena> shared) {
        int rounds = run.getWarmup().getCount() == 0 ? 100 : ROUNDS;
        List<String> uses = before.equals(EVERYTHING) ? EACH : List.of(before);
        for (int i = 0; i < rounds; i++) {
            for (String use : uses) {
                use(use, i, confined, shared);
            }
        }
    }

    private static void use(String how, int round, Supplier<? extends Arena> confined,
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
                    work(arena);
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
}
