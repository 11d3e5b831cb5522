package dev.arenakit.bench.candidate;

import dev.arenakit.FreeListArena;
import dev.arenakit.MallocArena;
import dev.arenakit.SlabPool;
import dev.arenakit.bench.candidate.peer.AllocatorLibraries;
import dev.arenakit.bench.candidate.peer.JdkInternals;
import dev.arenakit.bench.candidate.peer.NettyBuffers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The providers of arenas by name: the JDK's arenas, this project's arenas, and the arenas of services.
public final class Candidates {
    /// The JDK's confined arena, the baseline of the other arenas.
    public static final String OF_CONFINED = "Arena.ofConfined";
    /// The JDK's confined arena over a pool of 64 KiB for each thread, from JDK 28 on.
    public static final String OF_CONFINED_POOL = "Arena.ofConfined 64 KiB pool";
    /// The JDK's shared arena.
    public static final String OF_SHARED = "Arena.ofShared";
    /// The JDK's arena that the garbage collector closes.
    public static final String OF_AUTO = "Arena.ofAuto";
    /// The stack of frames that the JDK uses for its own downcalls, 64 KiB a thread.
    public static final String BUFFER_STACK = "BufferStack";
    /// A confined arena over malloc and free.
    public static final String MALLOC = "MallocArena";
    /// A shared arena over malloc and free.
    public static final String MALLOC_SHARED = "MallocArena shared";
    /// A confined arena over mimalloc.
    public static final String MIMALLOC = "MallocArena mimalloc";
    /// A confined arena of an unbounded pool that zeroes, as `SlabPool.create()` returns it.
    public static final String SLAB = "SlabArena";
    /// A confined arena of an unbounded pool that does not zero.
    public static final String SLAB_UNZEROED = "SlabArena unzeroed";
    /// A confined arena of a bounded pool that does not zero.
    public static final String SLAB_BOUNDED_UNZEROED = "SlabArena bounded unzeroed";
    /// A shared arena of an unbounded pool that zeroes.
    public static final String SLAB_SHARED = "SlabArena shared";

    /// A confined arena whose blocks are freed one by one, in Java.
    public static final String FREE_LISTS = "FreeListArena";
    /// A shared arena whose blocks are freed one by one, in Java.
    public static final String FREE_LISTS_SHARED = "FreeListArena shared";

    /// Netty's adaptive allocator in a confined arena, on threads like those of an event loop.
    public static final String NETTY_ADAPTIVE = "Netty adaptive arena";

    // The limit of bounded pools, far above any amount that is allocated at once.
    private static final long MAX_BYTES = 64 << 20;

    private static final String[] NETTY_ARGS = {JdkInternals.ALLOW_UNSAFE, NettyBuffers.ALLOW_UNSAFE,
            JvmArgs.CUSTOM_THREADS, JvmArgs.EVENT_LOOP};

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

    /// Finds a provider.
    ///
    /// @param name name of a built-in provider or of a service
    /// @return the provider
    /// @throws IllegalArgumentException if there is no provider of that name, or more than one
    public static ArenaProvider find(String name) {
        return REGISTRY.create(name);
    }

    /// {@return the provider of a name; empty if there is no such provider, or more than one}
    ///
    /// @param name any name of a candidate
    public static Optional<ArenaProvider> lookUp(String name) {
        return REGISTRY.lookUp(name);
    }

    /// {@return the name of the shared arenas that belong to a provider: its own, the same name with `shared`, or
    /// the JDK's}
    ///
    /// @param provider name of a provider
    public static String sharedOf(String provider) {
        String shared = provider + " shared";
        return find(provider).isShared() ? provider : lookUp(shared).isPresent() ? shared : OF_SHARED;
    }

    private static Map<String, Supplier<ArenaProvider>> builtIn() {
        Map<String, Supplier<ArenaProvider>> providers = new LinkedHashMap<>();
        Stream.of(
                new BuiltIn(OF_CONFINED, ArenaFactories.OfConfined::new),
                new BuiltIn(OF_CONFINED_POOL, ArenaFactories.OfConfinedPool::new).with(JvmArgs.CONFINED_POOL_64K),
                new BuiltIn(OF_SHARED, ArenaFactories.OfShared::new).shared(),
                new BuiltIn(OF_AUTO, ArenaFactories.OfAuto::new).shared(),
                new BuiltIn(BUFFER_STACK,
                        () -> new ArenaFactories.OfFrames(JdkInternals.bufferStack(ArenaFactories.STACK_SIZE))).dirty(),
                new BuiltIn(MALLOC, ArenaFactories.Malloc::new).dirty(),
                new BuiltIn(MALLOC_SHARED, ArenaFactories.MallocShared::new).dirty().shared(),
                new BuiltIn(MIMALLOC, () -> new ArenaFactories.Built(
                        MallocArena.builder().allocator(AllocatorLibraries.mimalloc()))).dirty(),
                new BuiltIn(SLAB, () -> new ArenaFactories.Pooled(SlabPool.create())),
                new BuiltIn(SLAB_UNZEROED,
                        () -> new ArenaFactories.Pooled(SlabPool.builder().unzeroed().build())).dirty(),
                new BuiltIn(SLAB_BOUNDED_UNZEROED, () -> new ArenaFactories.Pooled(
                        SlabPool.builder().maxByteSize(MAX_BYTES).unzeroed().build())).dirty(),
                new BuiltIn(SLAB_SHARED, () -> new ArenaFactories.PooledShared(SlabPool.create())).shared(),
                new BuiltIn(FREE_LISTS, () -> new ArenaFactories.FreeLists(FreeListArena.builder())).dirty(),
                new BuiltIn(FREE_LISTS_SHARED,
                        () -> new ArenaFactories.FreeLists(FreeListArena.builder().shared())).dirty().shared(),
                new BuiltIn(NETTY_ADAPTIVE,
                        () -> new ArenaFactories.OfNetty(NettyBuffers.adaptive())).dirty().with(NETTY_ARGS))
                .forEach(provider -> providers.put(provider.name(), () -> provider));
        return providers;
    }

    private record BuiltIn(String name, boolean isShared, boolean isZeroed, boolean hasScopePerAllocation,
            List<String> jvmArgs, Supplier<ArenaFactory> factories) implements ArenaProvider {
        BuiltIn(String name, Supplier<ArenaFactory> factories) {
            this(name, false, true, false, List.of(), factories);
        }

        BuiltIn shared() {
            return new BuiltIn(name, true, isZeroed, hasScopePerAllocation, jvmArgs, factories);
        }

        BuiltIn dirty() {
            return new BuiltIn(name, isShared, false, hasScopePerAllocation, jvmArgs, factories);
        }

        BuiltIn with(String... args) {
            return new BuiltIn(name, isShared, isZeroed, hasScopePerAllocation, List.of(args), factories);
        }

        @Override
        public ArenaFactory create() {
            return factories.get();
        }
    }
}
