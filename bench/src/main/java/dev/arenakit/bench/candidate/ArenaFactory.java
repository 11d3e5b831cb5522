package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;

/// Opens the arenas of an [ArenaProvider], in a JVM that measures no other provider.
///
/// [#open()] is measured. It is compiled as if the factory were a constant; if the factory is a record or a lambda
/// expression, or keeps its state in `static final` fields, that state is a constant as well.
@FunctionalInterface
public interface ArenaFactory extends AutoCloseable {
    /// {@return a new arena, which the calling thread uses and closes}
    Arena open();

    /// Releases the resources of the factory. All of its arenas are closed by then.
    @Override
    default void close() {}
}
