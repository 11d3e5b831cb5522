package dev.arenakit.bench.question;

import dev.arenakit.MallocArena;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Libc;
import dev.arenakit.bench.contestant.NettyBuffers;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
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
import org.openjdk.jmh.annotations.TearDown;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// What does it cost to allocate a block and free it, without closing anything: allocate, write a long, read it back, free?
///
/// The arenas live as long as the benchmark; what they keep in order to know their blocks is part of the cost. The peers know
/// nothing of their blocks. Netty takes its path through Unsafe.
@Question(value = "allocate and free", baseline = "malloc critical")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE})
public class Pair {
    /// Size of the block.
    @Param({"64", "1024"})
    public long byteSize;

    private long value;

    /// An arena for one thread.
    @Benchmark
    @Label("MallocArena")
    public long confined(Confined malloc) {
        return pair(malloc.arena);
    }

    /// An arena for all threads.
    @Benchmark
    @Label("MallocArena shared")
    public long shared(Shared malloc) {
        return pair(malloc.arena);
    }

    /// An arena with a scope for each block.
    @Benchmark
    @Label("MallocArena checked")
    public long checked(Checked malloc) {
        return pair(malloc.arena);
    }

    /// malloc and free, plain calls.
    @Benchmark
    @Label("malloc")
    public long malloc() {
        long address = Libc.malloc(byteSize);
        Libc.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        long read = Libc.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        Libc.free(address);
        return read;
    }

    /// malloc and free, critical calls.
    @Benchmark
    @Label("malloc critical")
    public long mallocCritical() {
        long address = Libc.mallocCritical(byteSize);
        Libc.MEMORY.set(JAVA_LONG_UNALIGNED, address, ++value);
        long read = Libc.MEMORY.get(JAVA_LONG_UNALIGNED, address);
        Libc.freeCritical(address);
        return read;
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @Label("LWJGL nmemAlloc")
    public long lwjgl(Session.OfLwjgl lwjgl) {
        long read = lwjgl.memory.use(byteSize, ++value);
        lwjgl.memory.free();
        return read;
    }

    /// Netty's adaptive allocator.
    @Benchmark
    @Label("Netty adaptive")
    public long nettyAdaptive(Session.WithUnsafe netty) {
        long read = netty.adaptive.use(byteSize, ++value);
        netty.adaptive.release();
        return read;
    }

    /// Netty's pooled allocator.
    @Benchmark
    @Label("Netty pooled")
    public long nettyPooled(Session.WithUnsafe netty) {
        long read = netty.pooled.use(byteSize, ++value);
        netty.pooled.release();
        return read;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long pair(MallocArena arena) {
        MemorySegment block = arena.allocate(byteSize, Long.BYTES);
        block.set(JAVA_LONG, 0, ++value);
        long read = block.get(JAVA_LONG, 0);
        arena.free(block);
        return read;
    }

    /// An arena for one thread.
    @State(Scope.Thread)
    public static class Confined {
        final MallocArena arena = MallocArena.ofConfined();

        /// Closes it.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena for all threads.
    @State(Scope.Thread)
    public static class Shared {
        final MallocArena arena = MallocArena.ofShared();

        /// Closes it.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena with a scope for each block.
    @State(Scope.Thread)
    public static class Checked {
        final MallocArena arena = MallocArena.builder().checked().build();

        /// Closes it.
        @TearDown
        public void close() {
            arena.close();
        }
    }
}
