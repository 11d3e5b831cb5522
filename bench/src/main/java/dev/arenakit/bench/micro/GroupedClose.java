package dev.arenakit.bench.micro;

import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Threads;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures short-lived shared arenas of two threads: open, allocate ten blocks of 32 bytes, write one long into each,
/// read one, and close. The figure is for one thread and includes each arena's share of the end of its group.
@BenchmarkName(value = "grouped close", baseline = "Arena.ofShared",
        measures = "Two threads open shared arenas, allocate ten blocks of 32 bytes, and close them; the figure is for "
                + "one thread.")
@Threads(2)
@Fork(jvmArgsAppend = JvmArgs.NATIVE_ACCESS)
public class GroupedClose extends MicroBenchmark {
    private static final int BLOCKS = 10;
    private static final long BYTE_SIZE = 32;
    private static final SlabPool POOL = SlabPool.create();
    private static final SlabPool GROUPS = SlabPool.builder().groupedClose(256).build();

    private long value;

    /// Arenas with one scope for 256 of them.
    @Benchmark
    @CandidateName("SlabArena shared, grouped")
    @MemoryTraits(zeroed = true, checked = true, scoped = false)
    public long grouped() {
        return use(GROUPS.openShared());
    }

    /// Arenas with a scope each.
    @Benchmark
    @CandidateName("SlabArena shared")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long shared() {
        return use(POOL.openShared());
    }

    /// Arenas of the JDK.
    @Benchmark
    @CandidateName("Arena.ofShared")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofShared() {
        return use(Arena.ofShared());
    }

    private long use(Arena opened) {
        try (Arena arena = opened) {
            MemorySegment block = MemorySegment.NULL;
            for (int i = 0; i < BLOCKS; i++) {
                block = arena.allocate(BYTE_SIZE, Long.BYTES);
                block.set(JAVA_LONG, 0, ++value);
            }
            return block.get(JAVA_LONG, 0);
        }
    }
}
