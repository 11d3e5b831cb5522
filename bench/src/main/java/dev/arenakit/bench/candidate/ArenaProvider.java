package dev.arenakit.bench.candidate;

import dev.arenakit.bench.candidate.peer.UnavailableException;
import java.util.List;

/// Describes a candidate that opens arenas. It is a service, so that users can measure their own arenas beside the
/// arenas of the JDK and of this project.
///
/// A provider must be cheap. A JVM that looks for a name creates all providers by their constructors without arguments,
/// and asks them for their promises. Whatever the arenas need is created by [#create()], in the JVM that measures them.
///
/// Before a plugged-in provider is measured, its arenas run the tests that every arena must pass,
/// `dev.arenakit.contract.ArenaContract`. The methods [#isShared], [#isZeroed], [#largestAlignment] and
/// [#hasScopePerAllocation] declare what the arenas promise; their defaults are the promises of `Arena.ofConfined()`.
///
/// The README of `bench` shows a provider, and how to run it.
public interface ArenaProvider {
    /// {@return the name in reports, which must be unique}
    String name();

    /// {@return a new factory of arenas, which the caller closes} It is used by as many threads as the benchmark has.
    ///
    /// @throws UnavailableException if this machine, or this JVM, lacks something that the arenas need
    ArenaFactory create();

    /// {@return further arguments of the JVMs that measure the arenas}
    default List<String> jvmArgs() {
        return List.of();
    }

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
}
