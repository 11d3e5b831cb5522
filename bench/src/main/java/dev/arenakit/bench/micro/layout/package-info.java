/// The benchmarks of values in memory: structs, strings, and the arguments and results of native calls.
@NullMarked
package dev.arenakit.bench.micro.layout;

import org.jspecify.annotations.NullMarked;
