package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The state of a benchmark whose candidates are arenas: the provider that this JVM measures.
@State(Scope.Benchmark)
public class Candidate {
    private static final SettableConstant<ArenaFactory> FACTORY = SettableConstant.unset();

    /// Name of the provider.
    @Param({Candidates.OF_CONFINED, Candidates.OF_CONFINED_POOL, Candidates.OF_SHARED, Candidates.OF_AUTO,
            Candidates.BUFFER_STACK, Candidates.MALLOC, Candidates.MALLOC_SHARED, Candidates.MIMALLOC, Candidates.SLAB,
            Candidates.SLAB_UNZEROED, Candidates.SLAB_BOUNDED_UNZEROED, Candidates.SLAB_SHARED, Candidates.FREE_LISTS,
            Candidates.FREE_LISTS_SHARED, Candidates.NETTY_ADAPTIVE})
    public String provider = "";

    private @Nullable ArenaFactory factory;

    /// Creates the factory of the provider's arenas.
    @Setup
    public void create() {
        factory = Candidates.find(provider).create();
        FACTORY.set(factory);
    }

    /// {@return a new arena}
    @CompilerControl(CompilerControl.Mode.INLINE)
    public Arena open() {
        return FACTORY.get().open();
    }

    /// Closes the factory.
    @TearDown
    public void close() {
        if (factory != null) {
            factory.close();
        }
    }
}
