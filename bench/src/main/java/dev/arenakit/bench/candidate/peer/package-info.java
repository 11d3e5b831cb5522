/// The libraries that the arenas and the collections are compared with.
@NullMarked
package dev.arenakit.bench.candidate.peer;

import org.jspecify.annotations.NullMarked;
