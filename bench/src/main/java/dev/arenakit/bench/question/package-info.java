/// The JMH benchmarks. A class is a question, a method is a contestant.
///
/// All contestants of a class do the same work at the same sizes, and each runs in JVMs of its own, so that the calls in
/// the shared body are monomorphic there and short-lived arenas can be scalar-replaced. A benchmark returns a value read
/// back from memory, never the segment, which would have to exist on the heap to be returned.
@NullMarked
package dev.arenakit.bench.question;

import org.jspecify.annotations.NullMarked;
