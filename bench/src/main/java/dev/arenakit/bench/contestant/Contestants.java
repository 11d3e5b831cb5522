package dev.arenakit.bench.contestant;

import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabPool;
import dev.arenakit.Zeroing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.CompilerControl;

/// The arenas that are measured: the JDK's, this project's, and those of services.
public final class Contestants {
    /// The JDK's arena for one thread, which everything is compared with.
    public static final String OF_CONFINED = "Arena.ofConfined";
    /// The JDK's arena for all threads.
    public static final String OF_SHARED = "Arena.ofShared";
    /// The JDK's arena that the garbage collector closes.
    public static final String OF_AUTO = "Arena.ofAuto";
    /// The JDK's allocator of slices, over a confined block of 64 KiB that each arena allocates.
    public static final String SLICING = "slicingAllocator";
    /// The stack of frames that the JDK keeps for its own downcalls, 64 KiB a thread.
    public static final String BUFFER_STACK = "BufferStack";
    /// malloc and free.
    public static final String MALLOC = "MallocArena";
    /// The same for all threads.
    public static final String MALLOC_SHARED = "MallocArena shared";
    /// The same with a scope for each allocation.
    public static final String MALLOC_CHECKED = "MallocArena checked";
    /// Over mimalloc.
    public static final String MIMALLOC = "MallocArena mimalloc";
    /// Over jemalloc.
    public static final String JEMALLOC = "MallocArena jemalloc";
    /// Of an unbounded pool, zeroed: what `SlabPool.create()` gives.
    public static final String SLAB = "SlabArena";
    /// Of an unbounded pool, not zeroed.
    public static final String SLAB_NONE = "SlabArena NONE";
    /// Of a bounded pool, zeroed.
    public static final String SLAB_BOUNDED = "SlabArena bounded";
    /// Of a bounded pool, not zeroed.
    public static final String SLAB_BOUNDED_NONE = "SlabArena bounded NONE";
    /// Of an unbounded pool, zeroed, for all threads.
    public static final String SLAB_SHARED = "SlabArena shared";

    private static final long STACK_SIZE = 64 * 1024;
    // Far more than is ever lent.
    private static final long MAX_BYTES = 64 << 20;

    private static final Registry<ArenaProvider> REGISTRY = new Registry<>("provider", ArenaProvider.class,
            ArenaProvider::name, builtIn());

    private Contestants() {}

    /// {@return the names of the arenas that come with the harness}
    public static List<String> builtInNames() {
        return REGISTRY.builtInNames();
    }

    /// {@return the names of those that services provide}
    public static List<String> serviceNames() {
        return REGISTRY.serviceNames();
    }

    /// Creates a provider.
    ///
    /// @param name of a built-in provider or of a service
    /// @return a new provider, which the caller closes
    /// @throws IllegalArgumentException when there is none of that name, or more than one
    /// @throws UnavailableException     when this machine, or this JVM, lacks what it needs
    public static ArenaProvider create(String name) {
        return REGISTRY.create(name);
    }

    private static Map<String, Supplier<ArenaProvider>> builtIn() {
        Map<String, Supplier<ArenaProvider>> providers = new LinkedHashMap<>();
        providers.put(OF_CONFINED, () -> new OfConfined(OF_CONFINED));
        providers.put(OF_SHARED, () -> new OfShared(OF_SHARED));
        providers.put(OF_AUTO, () -> new OfAuto(OF_AUTO));
        providers.put(SLICING, () -> new OfSlices(SLICING));
        providers.put(BUFFER_STACK, () -> new OfFrames(BUFFER_STACK, JdkPeers.bufferStack(STACK_SIZE)));
        providers.put(MALLOC, () -> new Malloc(MALLOC));
        providers.put(MALLOC_SHARED, () -> new MallocShared(MALLOC_SHARED));
        providers.put(MALLOC_CHECKED, () -> new Built(MALLOC_CHECKED, MallocArena.builder().checked()));
        providers.put(MIMALLOC, () -> new Built(MIMALLOC, MallocArena.builder().allocator(Libraries.mimalloc())));
        providers.put(JEMALLOC, () -> new Built(JEMALLOC, MallocArena.builder().allocator(Libraries.jemalloc())));
        providers.put(SLAB, () -> new Pooled(SLAB, SlabPool.create()));
        providers.put(SLAB_NONE, () -> new Pooled(SLAB_NONE, SlabPool.builder().zeroing(Zeroing.NONE).build()));
        providers.put(SLAB_BOUNDED, () -> new Pooled(SLAB_BOUNDED, SlabPool.builder().maxBytes(MAX_BYTES).build()));
        providers.put(SLAB_BOUNDED_NONE, () -> new Pooled(SLAB_BOUNDED_NONE,
                SlabPool.builder().maxBytes(MAX_BYTES).zeroing(Zeroing.NONE).build()));
        providers.put(SLAB_SHARED, () -> new PooledShared(SLAB_SHARED, SlabPool.create()));
        return providers;
    }

    // Records, whose fields the compiler trusts to be constant; and inlined, since what is measured is the arena behind
    // them, and C2 calls a method that it has already compiled to much code.

    private record OfConfined(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return Arena.ofConfined();
        }
    }

    private record OfShared(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return Arena.ofShared();
        }
    }

    private record OfAuto(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return new Collected(Arena.ofAuto());
        }
    }

    private record OfSlices(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            Arena arena = Arena.ofConfined();
            return new Slicing(arena, SegmentAllocator.slicingAllocator(arena.allocate(STACK_SIZE)));
        }
    }

    private record OfFrames(String name, JdkPeers.Frames frames) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return frames.push();
        }
    }

    private record Malloc(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return MallocArena.ofConfined();
        }
    }

    private record MallocShared(String name) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return MallocArena.ofShared();
        }
    }

    private record Built(String name, MallocArena.Builder builder) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return builder.build();
        }
    }

    private record Pooled(String name, SlabPool pool) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return pool.openConfined();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    private record PooledShared(String name, SlabPool pool) implements ArenaProvider {
        @CompilerControl(CompilerControl.Mode.INLINE)
        @Override
        public Arena open() {
            return pool.openShared();
        }

        @Override
        public void close() {
            pool.close();
        }
    }

    /// An arena that refuses to be closed, left to the garbage collector instead.
    private record Collected(Arena arena) implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return arena.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {}
    }

    private record Slicing(Arena arena, SegmentAllocator slices) implements Arena {
        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            return slices.allocate(byteSize, byteAlignment);
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
