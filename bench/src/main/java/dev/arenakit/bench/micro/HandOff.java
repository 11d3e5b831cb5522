package dev.arenakit.bench.micro;

import dev.arenakit.BlockAllocator;
import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.bench.candidate.JdkInternals;
import dev.arenakit.bench.candidate.JvmArgs;
import dev.arenakit.bench.candidate.LibcAllocator;
import dev.arenakit.bench.candidate.Lwjgl;
import dev.arenakit.bench.candidate.NativePairs;
import dev.arenakit.bench.candidate.NettyBuffers;
import dev.arenakit.bench.report.BenchmarkName;
import dev.arenakit.bench.report.CandidateName;
import dev.arenakit.bench.report.MemoryTraits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.LongUnaryOperator;
import org.lwjgl.system.MemoryUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Control;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// Measures blocks that one thread allocates and another thread frees. Two threads allocate 1,000 blocks of 64 bytes
/// each, write one long into each block, hand the blocks to each other, and read and free the blocks that they get.
///
/// The figure is for one block, and includes a thousandth of the hand-off. The candidate `none` shows the cost of the
/// hand-off: it hands over the same addresses each time, and neither allocates nor frees.
@BenchmarkName(value = "hand-off", baseline = "malloc critical",
        measures = "Two threads allocate blocks, hand them to each other, and free what they were handed; the figure is "
                + "for one block.")
@OperationsPerInvocation(HandOff.BLOCKS)
@Threads(2)
@Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE})
public class HandOff extends MicroBenchmark {
    /// Number of blocks that are handed over at once.
    public static final int BLOCKS = 1_000;

    private static final long BYTE_SIZE = 64;
    /// At the end of an iteration, a thread may wait for the other thread in vain. Then it frees its own blocks.
    private static final long MAX_WAIT_MILLIS = 20;

    private long[] addresses = new long[BLOCKS];
    private Object[] objects = new Object[BLOCKS];

    /// The place where the threads exchange blocks.
    @State(Scope.Benchmark)
    public static class Meeting {
        private final Exchanger<Object> exchanger = new Exchanger<>();

        /// Created by JMH.
        public Meeting() {}

        /// Returns the blocks that the other thread hands over, or the thread's own blocks if the iteration has ended.
        @SuppressWarnings("unchecked") // Both threads run the same method.
        <T> T swap(Control control, T mine) {
            while (true) {
                try {
                    return (T) exchanger.exchange(mine, MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException _) {
                    if (control.stopMeasurement) {
                        return mine;
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    /// Addresses that are neither allocated nor freed.
    @Benchmark
    public long none(Control control, Meeting meeting) {
        for (int i = 0; i < BLOCKS; i++) {
            addresses[i] = i;
        }
        addresses = meeting.swap(control, addresses);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            sum += addresses[i];
        }
        return sum;
    }

    /// malloc and free, critical calls.
    @Benchmark
    @CandidateName("malloc critical")
    @MemoryTraits
    public long malloc(Control control, Meeting meeting) {
        return run(control, meeting, LibcAllocator::mallocCritical, LibcAllocator::freeCritical);
    }

    /// mimalloc, critical calls.
    @Benchmark
    @CandidateName("mimalloc critical")
    @MemoryTraits
    public long mimalloc(Control control, Meeting meeting, AllocateAndFreeSmall.Mimalloc library) {
        return run(control, meeting, NativePairs::mimalloc, NativePairs::mimallocFree);
    }

    /// jemalloc, critical calls.
    @Benchmark
    @CandidateName("jemalloc critical")
    @MemoryTraits
    public long jemalloc(Control control, Meeting meeting, AllocateAndFreeSmall.Jemalloc library) {
        return run(control, meeting, NativePairs::jemalloc, NativePairs::jemallocFree);
    }

    /// LWJGL's malloc and free.
    @Benchmark
    @CandidateName("LWJGL nmemAlloc")
    @MemoryTraits
    public long lwjgl(Control control, Meeting meeting, Library library) {
        return run(control, meeting, MemoryUtil::nmemAlloc, MemoryUtil::nmemFree);
    }

    /// An arena for all threads over malloc.
    @Benchmark
    @CandidateName("MallocArena shared")
    @MemoryTraits(checked = true)
    public long mallocArena(Control control, Meeting meeting, OfMalloc malloc) {
        return run(control, meeting, malloc.arena);
    }

    /// An arena for all threads, in Java.
    @Benchmark
    @CandidateName("FreeListArena shared")
    @MemoryTraits(checked = true)
    public long freeLists(Control control, Meeting meeting, OfSlabs slabs) {
        return run(control, meeting, slabs.arena);
    }

    /// A shared arena of the JDK for each block, since arenas of the JDK do not free single blocks.
    @Benchmark
    @CandidateName("Arena.ofShared each")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofShared(Control control, Meeting meeting) {
        for (int i = 0; i < BLOCKS; i++) {
            Arena arena = Arena.ofShared();
            MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            objects[i] = new Closeable(arena, block);
        }
        objects = meeting.swap(control, objects);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            Closeable handed = (Closeable) objects[i];
            sum += handed.block.get(JAVA_LONG, 0);
            handed.arena.close();
        }
        return sum;
    }

    private record Closeable(Arena arena, MemorySegment block) {}

    /// An automatic arena of the JDK for each block, which the garbage collector closes.
    @Benchmark
    @CandidateName("Arena.ofAuto each")
    @MemoryTraits(zeroed = true, checked = true, scoped = true)
    public long ofAuto(Control control, Meeting meeting) {
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = Arena.ofAuto().allocate(BYTE_SIZE, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            objects[i] = block;
        }
        objects = meeting.swap(control, objects);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            sum += ((MemorySegment) objects[i]).get(JAVA_LONG, 0);
        }
        return sum;
    }

    /// Netty's adaptive allocator, on threads like those of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty adaptive, event loop")
    @MemoryTraits(checked = true)
    public long nettyAdaptive(Control control, Meeting meeting, OfNetty netty) {
        return run(control, meeting, netty.adaptive);
    }

    /// Netty's pooled allocator, on threads like those of an event loop.
    @Benchmark
    @Fork(jvmArgsAppend = {JvmArgs.NATIVE_ACCESS, JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP})
    @CandidateName("Netty pooled, event loop")
    @MemoryTraits(checked = true)
    public long nettyPooled(Control control, Meeting meeting, OfNetty netty) {
        return run(control, meeting, netty.pooled);
    }

    /// Runs a candidate. A JVM runs a single candidate, so C2 inlines both functions.
    @CompilerControl(CompilerControl.Mode.INLINE)
    private long run(Control control, Meeting meeting, LongUnaryOperator malloc, LongConsumer free) {
        for (int i = 0; i < BLOCKS; i++) {
            addresses[i] = malloc.applyAsLong(BYTE_SIZE);
            LibcAllocator.MEMORY.set(JAVA_LONG_UNALIGNED, addresses[i], i);
        }
        addresses = meeting.swap(control, addresses);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            sum += LibcAllocator.MEMORY.get(JAVA_LONG_UNALIGNED, addresses[i]);
            free.accept(addresses[i]);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long run(Control control, Meeting meeting, BlockAllocator arena) {
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = arena.allocate(BYTE_SIZE, Long.BYTES);
            block.set(JAVA_LONG, 0, i);
            objects[i] = block;
        }
        objects = meeting.swap(control, objects);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            MemorySegment block = (MemorySegment) objects[i];
            sum += block.get(JAVA_LONG, 0);
            arena.free(block);
        }
        return sum;
    }

    @CompilerControl(CompilerControl.Mode.INLINE)
    private long run(Control control, Meeting meeting, ByteBufAllocator allocator) {
        for (int i = 0; i < BLOCKS; i++) {
            ByteBuf buffer = allocator.directBuffer((int) BYTE_SIZE);
            buffer.setLong(0, i);
            objects[i] = buffer;
        }
        objects = meeting.swap(control, objects);
        long sum = 0;
        for (int i = 0; i < BLOCKS; i++) {
            ByteBuf buffer = (ByteBuf) objects[i];
            sum += buffer.getLong(0);
            buffer.release();
        }
        return sum;
    }

    /// LWJGL.
    @State(Scope.Benchmark)
    public static class Library {
        /// Created by JMH.
        public Library() {}

        /// Loads the library.
        @Setup
        public void load() {
            Lwjgl.load();
        }
    }

    /// An arena over malloc.
    @State(Scope.Benchmark)
    public static class OfMalloc {
        final MallocArena arena = MallocArena.ofShared();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// An arena in Java.
    @State(Scope.Benchmark)
    public static class OfSlabs {
        final FreeListArena arena = FreeListArena.ofShared();

        /// Closes the arena.
        @TearDown
        public void close() {
            arena.close();
        }
    }

    /// Netty's allocators, which both threads use.
    @State(Scope.Benchmark)
    public static class OfNetty {
        final ByteBufAllocator adaptive = NettyBuffers.adaptive();
        final ByteBufAllocator pooled = NettyBuffers.pooled();

        /// Checks that Netty uses Unsafe.
        @Setup
        public void look() {
            NettyBuffers.require(true);
        }
    }
}
