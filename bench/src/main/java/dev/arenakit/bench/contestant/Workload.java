package dev.arenakit.bench.contestant;

import java.lang.foreign.Arena;

/// What is done with an arena between opening and closing it. It is a service, so that everyone can measure the arenas on
/// work like their own.
///
/// It is used by all threads of a benchmark, each with an arena of its own. C2 inlines fifteen levels of calls, of which the
/// harness takes three and allocating a segment some eight; where it stops, arena and segments become objects on the heap.
///
/// The README of `bench` shows one, and how to run it.
public interface Workload {
    /// {@return what the reports call it, which no other workload may be called}
    String name();

    /// Does the work once.
    ///
    /// @param arena open, and used by no one else
    /// @return something read back from the memory, so that no compiler can drop the work; not an address, and nothing of
    ///         the arena, which could then not be kept off the Java heap
    long run(Arena arena);
}
