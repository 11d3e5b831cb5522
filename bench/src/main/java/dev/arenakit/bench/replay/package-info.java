/// Replays the allocation trace of a program against arenas: the steps of its threads, and what they cost.
@NullMarked
package dev.arenakit.bench.replay;

import org.jspecify.annotations.NullMarked;
