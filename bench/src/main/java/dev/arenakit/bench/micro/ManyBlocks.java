package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.report.BenchmarkName;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures whether an allocation costs the same in a scope with few allocations as in a scope with many: open,
/// allocate `blocks` blocks of 32 bytes, write one long into each and read it back, close.
///
/// The figure is for one allocation, with its share of opening and closing, so it is constant if the total cost is
/// linear. Arenas of a fixed size are too small for many blocks and fail there.
@BenchmarkName(value = "many blocks",
        measures = "Allocates blocks of 32 bytes in an arena that gets few or many of them; the figure is for "
                + "one allocation.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class ManyBlocks {
    private static final int ALLOCATIONS = 10_000;
    private static final long BYTE_SIZE = 32;

    /// Number of allocations in one scope.
    @Param({"1", "10", "100", "1000", "10000"})
    public int blocks;

    /// As many arenas as are needed for 10,000 allocations.
    @Benchmark
    @OperationsPerInvocation(ALLOCATIONS)
    public long arena(Candidate candidate) {
        long sum = 0;
        for (int done = 0; done < ALLOCATIONS; done += blocks) {
            try (Arena arena = candidate.open()) {
                for (int i = 0; i < blocks; i++) {
                    MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
                    block.set(JAVA_LONG, 0, i);
                    sum += block.get(JAVA_LONG, 0);
                }
            }
        }
        return sum;
    }
}
