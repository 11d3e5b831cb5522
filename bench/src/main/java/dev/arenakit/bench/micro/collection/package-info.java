/// The benchmarks of lists, maps and ring buffers.
@NullMarked
package dev.arenakit.bench.micro.collection;

import org.jspecify.annotations.NullMarked;
