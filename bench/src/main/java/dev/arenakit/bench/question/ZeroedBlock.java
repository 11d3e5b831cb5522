package dev.arenakit.bench.question;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Libc;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
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

/// What does zeroed memory cost, and what does memory that is not: open an arena, allocate a block, write one long, read it
/// back, close?
///
/// calloc knows of blocks that come fresh from the system and need no zeroing, but a block that has been used before, as here
/// mostly, is zeroed by all alike.
@Question("zeroed block")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class ZeroedBlock {
    /// Size of the block.
    @Param({"32", "256", "4096", "65536", "1048576"})
    public long byteSize;

    private long value;

    /// An arena, as it allocates by itself: the JDK's and pooled ones with zeros, those of malloc without.
    @Benchmark
    public long arena(Contestant contestant) {
        try (Arena arena = contestant.open()) {
            return write(arena.allocate(byteSize, Long.BYTES));
        }
    }

    /// malloc's arena, asked for zeros.
    @Benchmark
    @Label("MallocArena allocateZeroed")
    public long allocateZeroed() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return write(arena.allocateZeroed(byteSize, Long.BYTES));
        }
    }

    /// malloc's arena, filled with zeros.
    @Benchmark
    @Label("MallocArena and fill")
    public long allocateAndFill() {
        try (MallocArena arena = MallocArena.ofConfined()) {
            return write(arena.allocate(byteSize, Long.BYTES).fill((byte) 0));
        }
    }

    /// calloc and free, plain calls.
    @Benchmark
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
