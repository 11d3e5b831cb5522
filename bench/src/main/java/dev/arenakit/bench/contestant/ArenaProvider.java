package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;

/// A contestant: something that opens arenas. It is a service, so that arenas of anyone can be measured beside those of the
/// JDK and of this project.
///
/// Each is measured in JVMs of its own, by as many threads as the benchmark has. A JVM that looks for a name creates all
/// providers, by their constructors without arguments; one that needs a library to open arenas, and does not find it, throws
/// [UnavailableException] from [#open()].
///
/// What [#open()] does is measured. It is compiled as if the provider were a constant, and where the provider is a record or
/// keeps its state in `static final` fields, that state as well.
///
/// The README of `bench` shows one, and how to run it.
public interface ArenaProvider extends AutoCloseable {
    /// {@return what the reports call it, which no other provider may be called}
    String name();

    /// {@return a new arena, which the calling thread uses and closes}
    Arena open();

    /// Gives back what the provider itself holds. The arenas that it has opened are closed by then.
    @Override
    default void close() {}
}
