package dev.arenakit.bench.question;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// What does one block cost: open an arena, allocate, write, read a long, close?
///
/// An arena that zeroes writes a block twice where all of it is written, one that does not once: the two differ by a
/// factor of about two for large blocks then, however far apart they are where only a long is.
@Question("one block")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE, JdkPeers.EXPORT_BUFFER_STACK})
public class OneBlock {
    /// Size of the block.
    @Param({"2", "4", "8", "16", "32", "64", "128", "256", "512", "1024", "2048", "4096", "8192", "16384", "32768",
            "65536", "262144", "1048576", "16777216"})
    public long byteSize;

    /// How much of it is written: `first`, as much as a long has, or `all`.
    @Param({"first", "all"})
    public String written = "";

    private boolean all;
    private byte value;

    /// Prepares the choice.
    @Setup
    public void choose() {
        all = written.equals("all");
    }

    /// An arena.
    @Benchmark
    public long arena(Contestant contestant) {
        try (Arena arena = contestant.open()) {
            MemorySegment block = arena.allocate(byteSize, Long.BYTES);
            if (all) {
                block.fill(++value);
                return block.get(JAVA_BYTE, byteSize - 1);
            }
            if (byteSize < Long.BYTES) {
                block.set(JAVA_BYTE, 0, ++value);
                return block.get(JAVA_BYTE, 0);
            }
            block.set(JAVA_LONG, 0, ++value);
            return block.get(JAVA_LONG, 0);
        }
    }

    /// malloc and free, plain calls.
    @Benchmark
    public long malloc() {
        long address = Libc.malloc(byteSize);
        long read = write(address);
        Libc.free(address);
        return read;
    }

    /// malloc and free, critical calls.
    @Benchmark
    @Label("malloc critical")
    public long mallocCritical() {
        long address = Libc.mallocCritical(byteSize);
        long read = write(address);
        Libc.freeCritical(address);
        return read;
    }

    /// calloc and free, plain calls.
    @Benchmark
    public long calloc() {
        long address = Libc.calloc(byteSize);
        long read = write(address);
        Libc.free(address);
        return read;
    }

    /// `sun.misc.Unsafe`.
    @Benchmark
    @Label("Unsafe")
    public long unsafe() {
        long address = JdkPeers.allocate(byteSize);
        long read;
        if (all) {
            JdkPeers.setMemory(address, byteSize, ++value);
            read = JdkPeers.getLong(address);
        } else {
            JdkPeers.putLong(address, ++value);
            read = JdkPeers.getLong(address);
        }
        JdkPeers.free(address);
        return read;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long write(long address) {
        if (all) {
            Libc.MEMORY.asSlice(address, byteSize).fill(++value);
            return Libc.MEMORY.get(JAVA_BYTE, address + byteSize - 1);
        }
        Libc.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        return Libc.MEMORY.get(JAVA_LONG_UNALIGNED, address);
    }
}
