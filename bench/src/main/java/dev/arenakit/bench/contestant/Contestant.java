package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The state of a benchmark whose contestants are arenas: the provider that this JVM measures.
@State(Scope.Benchmark)
public class Contestant {
    private static final Constant<ArenaProvider> PROVIDER = Constant.unset();

    /// Name of the provider.
    @Param({Contestants.OF_CONFINED, Contestants.OF_SHARED, Contestants.OF_AUTO, Contestants.SLICING,
            Contestants.BUFFER_STACK, Contestants.MALLOC, Contestants.MALLOC_SHARED, Contestants.MALLOC_CHECKED,
            Contestants.MIMALLOC, Contestants.JEMALLOC, Contestants.SLAB, Contestants.SLAB_NONE,
            Contestants.SLAB_BOUNDED, Contestants.SLAB_BOUNDED_NONE, Contestants.SLAB_SHARED})
    public String provider = "";

    private @Nullable ArenaProvider created;

    /// Creates the provider.
    @Setup
    public void create() {
        created = Contestants.create(provider);
        PROVIDER.set(created);
    }

    /// {@return a new arena}
    @CompilerControl(CompilerControl.Mode.INLINE)
    public Arena open() {
        return PROVIDER.get().open();
    }

    /// Closes the provider.
    @TearDown
    public void close() {
        if (created != null) {
            created.close();
        }
    }
}
