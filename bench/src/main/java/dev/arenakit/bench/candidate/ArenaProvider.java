package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;

/// A candidate that opens arenas. It is a service, so that users can measure their own arenas beside those of the JDK
/// and of this project.
///
/// Each provider is measured in JVMs of its own, by as many threads as the benchmark has. A JVM that looks for a name
/// creates all providers with their constructors without arguments. If a library that the provider needs is missing,
/// [#open()] throws [UnavailableException].
///
/// [#open()] is measured. It is compiled as if the provider were a constant; if the provider is a record, or keeps its
/// state in `static final` fields, that state is a constant as well.
///
/// Before a plugged-in provider is measured, its arenas run the tests that every arena must pass,
/// `dev.arenakit.contract.ArenaContract`. The methods [#isShared], [#isZeroed], [#largestAlignment] and
/// [#hasScopePerAllocation] declare what the arenas promise; their defaults are the promises of `Arena.ofConfined()`.
///
/// The README of `bench` shows a provider, and how to run it.
public interface ArenaProvider extends AutoCloseable {
    /// {@return the name in reports, which must be unique}
    String name();

    /// {@return a new arena, which the calling thread uses and closes}
    Arena open();

    /// {@return whether every thread may use and close an arena, or only the thread that opened it}
    default boolean isShared() {
        return false;
    }

    /// {@return whether allocated memory reads as zeros}
    default boolean isZeroed() {
        return true;
    }

    /// {@return the largest alignment that the arenas support, a power of two}
    default long largestAlignment() {
        return 1L << 62;
    }

    /// {@return whether each segment has a scope of its own instead of the arena's scope}
    default boolean hasScopePerAllocation() {
        return false;
    }

    /// Releases the resources of the provider itself. All of its arenas are closed by then.
    @Override
    default void close() {}
}
