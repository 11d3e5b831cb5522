package dev.arenakit.bench.micro;

import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.Libc;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Measures the cost of zeroing an existing block.
///
/// The same block is zeroed each time, so it stays in any cache that is large enough.
@BenchmarkName(value = "zero fill", baseline = "fill", measures = "Zeroes an existing block.")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE})
public class ZeroFill {
    /// Size of the block.
    @Param({"32", "256", "4096", "65536", "1048576"})
    public long byteSize;

    private final Arena arena = Arena.ofConfined();
    private MemorySegment block = MemorySegment.NULL;

    /// Allocates the block.
    @Setup
    public void allocate() {
        block = arena.allocate(byteSize, Long.BYTES);
    }

    /// Frees the block.
    @TearDown
    public void close() {
        arena.close();
    }

    /// `MemorySegment.fill`.
    @Benchmark
    public long fill() {
        block.fill((byte) 0);
        return last();
    }

    /// A plain loop of longs.
    @Benchmark
    public long loop() {
        MemorySegment block = this.block;
        long byteSize = this.byteSize;
        for (long i = 0; i < byteSize; i += Long.BYTES) {
            block.set(JAVA_LONG, i, 0);
        }
        return last();
    }

    /// memset, a plain call.
    @Benchmark
    public long memset() {
        Libc.memset(block.address(), (byte) 0, byteSize);
        return last();
    }

    /// memset, a critical call.
    @Benchmark
    @CandidateName("memset critical")
    public long memsetCritical() {
        Libc.memsetCritical(block.address(), (byte) 0, byteSize);
        return last();
    }

    /// `setMemory` of `sun.misc.Unsafe`.
    @Benchmark
    @CandidateName("Unsafe")
    public long unsafe() {
        JdkInternals.setMemory(block.address(), byteSize, (byte) 0);
        return last();
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long last() {
        return block.get(JAVA_LONG, byteSize - Long.BYTES);
    }
}
