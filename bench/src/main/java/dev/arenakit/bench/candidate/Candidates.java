package dev.arenakit.bench.candidate;

import dev.arenakit.MallocArena;
import dev.arenakit.NativeAllocator;
import dev.arenakit.SlabBlockArena;
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

/// The providers of arenas by name: the JDK's arenas, this project's, and those of services.
public final class Candidates {
    /// The JDK's confined arena, which the others are compared with.
    public static final String OF_CONFINED = "Arena.ofConfined";
    /// The JDK's shared arena.
    public static final String OF_SHARED = "Arena.ofShared";
    /// The JDK's arena that the garbage collector closes.
    public static final String OF_AUTO = "Arena.ofAuto";
    /// The JDK's slicing allocator, over a confined block of 64 KiB that each arena allocates.
    public static final String SLICING = "slicingAllocator";
    /// The stack of frames that the JDK uses for its own downcalls, 64 KiB a thread.
    public static final String BUFFER_STACK = "BufferStack";
    /// A confined arena over malloc and free.
    public static final String MALLOC = "MallocArena";
    /// A shared arena over malloc and free.
    public static final String MALLOC_SHARED = "MallocArena shared";
    /// A confined arena over malloc and free with a scope for each allocation.
    public static final String MALLOC_CHECKED = "MallocArena checked";
    /// A confined arena over mimalloc.
    public static final String MIMALLOC = "MallocArena mimalloc";
    /// A confined arena over jemalloc.
    public static final String JEMALLOC = "MallocArena jemalloc";
    /// A confined arena of an unbounded pool that zeroes, as `SlabPool.create()` returns it.
    public static final String SLAB = "SlabArena";
    /// A confined arena of an unbounded pool that does not zero.
    public static final String SLAB_NONE = "SlabArena NONE";
    /// A confined arena of a bounded pool that zeroes.
    public static final String SLAB_BOUNDED = "SlabArena bounded";
    /// A confined arena of a bounded pool that does not zero.
    public static final String SLAB_BOUNDED_NONE = "SlabArena bounded NONE";
    /// A shared arena of an unbounded pool that zeroes.
    public static final String SLAB_SHARED = "SlabArena shared";

    /// A confined arena whose blocks are freed one by one, in Java.
    public static final String SLAB_BLOCKS = "SlabBlockArena";
    /// A shared arena whose blocks are freed one by one, in Java.
    public static final String SLAB_BLOCKS_SHARED = "SlabBlockArena shared";

    private static final long STACK_SIZE = 64 * 1024;
    // Far more than is ever allocated at once.
    private static final long MAX_BYTES = 64 << 20;

    private static final ServiceRegistry<ArenaProvider> REGISTRY = new ServiceRegistry<>("provider",
            ArenaProvider.class,
            ArenaProvider::name, builtIn());

    private Candidates() {}

    /// {@return the names of the built-in providers}
    public static List<String> builtInNames() {
        return REGISTRY.builtInNames();
    }

    /// {@return the names of the providers that are services}
    public static List<String> serviceNames() {
        return REGISTRY.serviceNames();
    }

    /// Creates a provider.
    ///
    /// @param name name of a built-in provider or of a service
    /// @return a new provider, which the caller closes
    /// @throws IllegalArgumentException if there is no provider of that name, or more than one
    /// @throws UnavailableException     if this machine, or this JVM, lacks something that the provider needs
    public static ArenaProvider create(String name) {
        return REGISTRY.create(name);
    }

    private static Map<String, Supplier<ArenaProvider>> builtIn() {
        Map<String, Supplier<ArenaProvider>> providers = new LinkedHashMap<>();
        providers.put(OF_CONFINED, () -> new OfConfined(OF_CONFINED));
        providers.put(OF_SHARED, () -> new OfShared(OF_SHARED));
        providers.put(OF_AUTO, () -> new OfAuto(OF_AUTO));
        providers.put(SLICING, () -> new OfSlices(SLICING));
        providers.put(BUFFER_STACK, () -> new OfFrames(BUFFER_STACK, JdkInternals.bufferStack(STACK_SIZE)));
        providers.put(MALLOC, () -> new Malloc(MALLOC));
        providers.put(MALLOC_SHARED, () -> new MallocShared(MALLOC_SHARED));
        providers.put(MALLOC_CHECKED, () -> new Built(MALLOC_CHECKED, MallocArena.builder().checked()));
        providers.put(MIMALLOC,
                () -> new Built(MIMALLOC, MallocArena.builder().allocator(AllocatorLibraries.mimalloc())));
        providers.put(JEMALLOC,
                () -> new Built(JEMALLOC, MallocArena.builder().allocator(AllocatorLibraries.jemalloc())));
        providers.put(SLAB, () -> new Pooled(SLAB, SlabPool.create()));
        providers.put(SLAB_NONE, () -> new Pooled(SLAB_NONE, SlabPool.builder().zeroing(Zeroing.NONE).build()));
        providers.put(SLAB_BOUNDED, () -> new Pooled(SLAB_BOUNDED, SlabPool.builder().maxByteSize(MAX_BYTES).build()));
        providers.put(SLAB_BOUNDED_NONE, () -> new Pooled(SLAB_BOUNDED_NONE,
                SlabPool.builder().maxByteSize(MAX_BYTES).zeroing(Zeroing.NONE).build()));
        providers.put(SLAB_SHARED, () -> new PooledShared(SLAB_SHARED, SlabPool.create()));
        providers.put(SLAB_BLOCKS, () -> new SlabBlocks(SLAB_BLOCKS, SlabBlockArena.builder()));
        providers.put(SLAB_BLOCKS_SHARED,
                () -> new SlabBlocks(SLAB_BLOCKS_SHARED, SlabBlockArena.builder().shared()));
        return providers;
    }

    // The providers are records, since the compiler trusts the fields of a record to be constant. Their methods are
    // forced inline, since C2 does not inline a method that it has already compiled to much code, and the call would be
    // measured.

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

    private record OfFrames(String name, JdkInternals.Frames frames) implements ArenaProvider {
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

    private record SlabBlocks(String name, SlabBlockArena.Builder builder) implements ArenaProvider {
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

    /// An automatic arena, which cannot be closed. Here, `close` does nothing, and the garbage collector closes the
    /// arena.
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
