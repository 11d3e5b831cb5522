/// The candidates that are measured and the work that they do: [ArenaProvider] and [Workload] with their built-in
/// implementations.
///
/// The two interfaces are services: a jar on the class path can provide further arenas and workloads.
@NullMarked
package dev.arenakit.bench.candidate;

import org.jspecify.annotations.NullMarked;
