/// The benchmarks of structures that survive the end of the process. A class is a benchmark, and a method is a
/// candidate.
///
/// The candidates are the stores of [dev.arenakit.bench.candidate.stored]. To add one, add a method to each class.
@NullMarked
package dev.arenakit.bench.micro.stored;

import org.jspecify.annotations.NullMarked;
