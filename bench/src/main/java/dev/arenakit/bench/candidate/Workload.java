package dev.arenakit.bench.candidate;

import java.lang.foreign.Arena;

/// The work that a benchmark does with an arena between opening and closing it. It is a service, so that users can
/// measure the arenas on work like their own.
///
/// All threads of a benchmark use one workload, each thread with arenas of its own. C2 inlines fifteen levels of calls:
/// the harness takes three of them and allocating a segment some eight. Beyond that, arena and segments become objects
/// on the heap.
///
/// The README of `bench` shows a workload, and how to run it.
public interface Workload {
    /// {@return the name in reports, which must be unique}
    String name();

    /// Does the work once. The result must be the same each time and in all arenas. After a measurement, the harness
    /// compares the candidate's result with the result in `Arena.ofConfined()`.
    ///
    /// @param arena an open arena, which no other code uses
    /// @return a value read back from the memory, so that the compiler cannot remove the work; neither an address nor a
    ///         reference to the arena, which would force the arena to be an object on the Java heap
    long run(Arena arena);
}
