/// The benchmarks of arenas: how they are opened, used, handed over and closed.
@NullMarked
package dev.arenakit.bench.micro.arena;

import org.jspecify.annotations.NullMarked;
