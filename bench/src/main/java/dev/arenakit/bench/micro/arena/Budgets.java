package dev.arenakit.bench.micro.arena;

import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.micro.MicroBenchmark;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import dev.arenakit.diagnostics.MemoryBudget;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Param;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of a budget: a session of one block or of ten, each of 32 bytes, in arenas with and without a
/// budget.
@BenchmarkName(value = "budgets", baseline = "Arena.ofConfined",
        measures = "Opens an arena, allocates blocks of 32 bytes, writes one long into each and reads it back, closes "
                + "the arena; with and without a budget.")
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class Budgets extends MicroBenchmark {
    private static final MemoryBudget ROOT = MemoryBudget.root("root", 1L << 30);
    private static final MemoryBudget CHILD = ROOT.child("child", 1L << 30);
    private static final SlabPool POOL = SlabPool.create();
    private static final SlabPool COUNTED_POOL = SlabPool.builder().budget(CHILD).build();

    /// The number of blocks.
    @Param({"1", "10"})
    public int blocks;

    /// An arena of the JDK.
    @Benchmark
    @CandidateName("Arena.ofConfined")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofConfined() {
        return use(Arena.ofConfined());
    }

    /// An arena of the JDK that is counted on two budgets.
    @Benchmark
    @CandidateName("Arena.ofConfined, two budgets")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofConfinedChild() {
        return use(CHILD.wrap(Arena.ofConfined()));
    }

    /// An arena over malloc.
    @Benchmark
    @CandidateName("MallocArena")
    @MemoryTraits(checked = true, scoped = true)
    public long malloc() {
        return use(MallocArena.ofConfined());
    }

    /// An arena over malloc that is counted on two budgets.
    @Benchmark
    @CandidateName("MallocArena, two budgets")
    @MemoryTraits(checked = true, scoped = true)
    public long mallocChild() {
        return use(MallocArena.builder().budget(CHILD).build());
    }

    /// An arena of a pool.
    @Benchmark
    @CandidateName("SlabArena")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slab() {
        return use(POOL.openConfined());
    }

    /// An arena of a pool that is counted on two budgets.
    @Benchmark
    @CandidateName("SlabArena, two budgets")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long slabChild() {
        return use(COUNTED_POOL.openConfined());
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long use(Arena arena) {
        long sum = 0;
        try (arena) {
            for (int i = 0; i < blocks; i++) {
                MemorySegment block = arena.allocate(32, 8);
                block.set(JAVA_LONG, 0, i);
                sum += block.get(JAVA_LONG, 0);
            }
        }
        return sum;
    }
}
