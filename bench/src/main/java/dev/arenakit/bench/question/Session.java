package dev.arenakit.bench.question;

import dev.arenakit.bench.contestant.Contestant;
import dev.arenakit.bench.contestant.JdkPeers;
import dev.arenakit.bench.contestant.JvmArgs;
import dev.arenakit.bench.contestant.Lwjgl;
import dev.arenakit.bench.contestant.NettyBuffers;
import dev.arenakit.bench.contestant.Work;
import dev.arenakit.bench.report.Label;
import dev.arenakit.bench.report.Question;
import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.lwjgl.system.MemoryStack;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// What does a scope's worth of work cost: open an arena, allocate some blocks, write one long into each and read it
/// back, close?
///
/// Peers that have no arena release all of their blocks at the end, as an arena would. LWJGL's stack has neither scopes nor
/// zeros, and its raw form no bounds. Netty's allocators are created with their defaults, on a thread that is none of theirs.
@Question("session")
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.EXPORT_BUFFER_STACK})
public class Session {
    /// An arena.
    @Benchmark
    public long arena(Contestant contestant, Work work) {
        try (Arena arena = contestant.open()) {
            return work.run(arena);
        }
    }

    /// Netty's adaptive allocator, with Unsafe.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE})
    @Label("Netty adaptive")
    public long nettyAdaptive(Work work, WithUnsafe netty) {
        return run(work, netty.adaptive);
    }

    /// Netty's adaptive allocator, without Unsafe.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, NettyBuffers.DENY_UNSAFE})
    @Label("Netty adaptive no Unsafe")
    public long nettyAdaptiveNoUnsafe(Work work, WithoutUnsafe netty) {
        return run(work, netty.adaptive);
    }

    /// Netty's pooled allocator, with Unsafe.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE})
    @Label("Netty pooled")
    public long nettyPooled(Work work, WithUnsafe netty) {
        return run(work, netty.pooled);
    }

    /// Netty's pooled allocator, without Unsafe.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, NettyBuffers.DENY_UNSAFE})
    @Label("Netty pooled no Unsafe")
    public long nettyPooledNoUnsafe(Work work, WithoutUnsafe netty) {
        return run(work, netty.pooled);
    }

    /// LWJGL's stack, raw addresses.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE})
    @Label("LWJGL stack")
    public long lwjglStack(Work work, OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return work.plan().run((byteSize, value) -> Lwjgl.onStack(stack, byteSize, value));
        }
    }

    /// LWJGL's stack, buffers.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE})
    @Label("LWJGL stack buffers")
    public long lwjglStackBuffers(Work work, OfLwjgl lwjgl) {
        try (MemoryStack stack = lwjgl.memory.push()) {
            return work.plan().run((byteSize, value) -> Lwjgl.inBuffer(stack, byteSize, value));
        }
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkPeers.ALLOW_UNSAFE})
    @Label("LWJGL nmemAlloc")
    public long lwjglAlloc(Work work, OfLwjgl lwjgl) {
        Lwjgl memory = lwjgl.memory;
        long sum = work.plan().run((byteSize, value) -> memory.use(byteSize, value));
        memory.free();
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private static long run(Work work, NettyBuffers buffers) {
        long sum = work.plan().run((byteSize, value) -> buffers.use(byteSize, value));
        buffers.release();
        return sum;
    }

    /// Netty's allocators, on the path through Unsafe.
    @State(Scope.Thread)
    public static class WithUnsafe {
        final NettyBuffers adaptive = new NettyBuffers(new AdaptiveByteBufAllocator(true));
        final NettyBuffers pooled = new NettyBuffers(new PooledByteBufAllocator(true));

        /// Looks whether it is that path.
        @Setup
        public void look() {
            NettyBuffers.require(true);
        }
    }

    /// Netty's allocators, on the other path.
    @State(Scope.Thread)
    public static class WithoutUnsafe {
        final NettyBuffers adaptive = new NettyBuffers(new AdaptiveByteBufAllocator(true));
        final NettyBuffers pooled = new NettyBuffers(new PooledByteBufAllocator(true));

        /// Looks whether it is that path.
        @Setup
        public void look() {
            NettyBuffers.require(false);
        }
    }

    /// LWJGL's memory.
    @State(Scope.Thread)
    public static class OfLwjgl {
        final Lwjgl memory = new Lwjgl();
    }
}
