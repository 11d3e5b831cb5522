/// The JMH benchmarks, in the packages below. A class is a benchmark, and a method is a candidate.
///
/// All candidates of a class do the same work at the same sizes. Each runs in JVMs of its own, so that calls in the
/// shared code are monomorphic and short-lived arenas can be scalar-replaced. A benchmark returns a value that it has
/// read back from memory. It never returns the segment, since the segment would then have to be an object on the heap.
@NullMarked
package dev.arenakit.bench.micro;

import org.jspecify.annotations.NullMarked;
