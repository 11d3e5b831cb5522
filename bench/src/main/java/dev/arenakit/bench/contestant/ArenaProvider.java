package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;

/// A contestant: something that opens arenas. It is a service, so that arenas of anyone can be measured beside those of the
/// JDK and of this project.
///
/// Each is measured in JVMs of its own. One is created, by its constructor without arguments, in every JVM that looks for
/// names, so a constructor should take nothing that it cannot leave; where it needs memory or a library to open arenas,
/// it may throw [UnavailableException]. It is used by all threads of a benchmark.
///
/// What `open` does is measured. It is compiled as if the provider were a constant, and where the provider is a record or
/// keeps its state in a `static final` field, that state as well.
///
/// {@snippet file="SharedSlices.java" region="provider"}
public interface ArenaProvider extends AutoCloseable {
    /// {@return what the reports call it, which no other provider may be called}
    String name();

    /// {@return a new arena, which the calling thread uses and closes}
    Arena open();

    /// Gives back what the provider itself holds. The arenas that it has opened are closed by then.
    @Override
    default void close() {}
}
