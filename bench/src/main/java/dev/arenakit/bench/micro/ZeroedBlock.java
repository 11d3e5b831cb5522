package dev.arenakit.bench.micro;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.Candidate;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Libc;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures the cost of zeroed memory and of memory that is not zeroed: open an arena, allocate a block, write one
/// long, read it back, close.
///
/// calloc does not need to zero blocks that come fresh from the system. Most blocks here have been used before, and all
/// candidates zero such blocks.
@BenchmarkName(value = "zeroed block",
        measures = "Opens an arena, allocates a block that is zeroed or not, writes one long, reads it back, and "
                + "closes it.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.EXPORT_BUFFER_STACK})
public class ZeroedBlock {
    /// Size of the block.
    @Param({"32", "256", "4096", "65536", "1048576"})
    public long byteSize;

    private long value;

    /// `Arena.allocate`. The JDK's arenas and pooled arenas zero; arenas over malloc do not.
    @Benchmark
    public long arena(Candidate candidate) {
        try (Arena arena = candidate.open()) {
            return write(arena.allocate(byteSize, Long.BYTES));
        }
    }

    /// `MallocArena.allocateZeroed`.
    @Benchmark
    @CandidateName("MallocArena allocateZeroed")
    @Memory(zeroed = true, checked = true, scoped = true)
    public long allocateZeroed() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return write(arena.allocateZeroed(byteSize, Long.BYTES));
        }
    }

    /// `MallocArena.allocate`, and `fill`.
    @Benchmark
    @CandidateName("MallocArena and fill")
    @Memory(zeroed = true, checked = true, scoped = true)
    public long allocateAndFill() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return write(arena.allocate(byteSize, Long.BYTES).fill((byte) 0));
        }
    }

    /// calloc and free, plain calls.
    @Benchmark
    @Memory(zeroed = true)
    public long calloc() {
        long address = Libc.calloc(byteSize);
        Libc.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        long read = Libc.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        Libc.free(address);
        return read;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long write(MemorySegment block) {
        block.set(JAVA_LONG, 0, ++value);
        return block.get(JAVA_LONG, 0);
    }
}
