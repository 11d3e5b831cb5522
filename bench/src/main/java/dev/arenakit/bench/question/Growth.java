package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.report.Question;
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

/// Does an allocation cost the same in a scope that has few as in one that has many: open, allocate `blocks` blocks of 32
/// bytes, write one long into each and read it back, close?
///
/// The figure is for one allocation, with its share in opening and closing: where the cost grows linearly, it does not grow.
/// Arenas of a fixed size have no room for many blocks and fail there.
@Question("growth")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class Growth {
    private static final int ALLOCATIONS = 10_000;
    private static final long BYTE_SIZE = 32;

    /// Number of allocations in one scope.
    @Param({"1", "10", "100", "1000", "10000"})
    public int blocks;

    /// An arena; as many as it takes for 10,000 allocations.
    @Benchmark
    @OperationsPerInvocation(ALLOCATIONS)
    public long arena(Contestant contestant) {
        long sum = 0;
        for (int done = 0; done < ALLOCATIONS; done += blocks) {
            try (Arena arena = contestant.open()) {
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
