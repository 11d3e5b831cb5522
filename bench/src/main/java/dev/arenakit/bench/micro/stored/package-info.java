/// The benchmarks of memory in files: its allocations, its bytes, queries over it, and structures that survive the end
/// of the process.
///
/// The candidates for the structures are the stores of [dev.arenakit.bench.candidate.stored]. To add one, add a method to each class.
@NullMarked
package dev.arenakit.bench.micro.stored;

import org.jspecify.annotations.NullMarked;
