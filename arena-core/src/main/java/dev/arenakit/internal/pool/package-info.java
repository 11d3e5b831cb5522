/// The arenas of a pool, and the cache from which they acquire their slabs.
@NullMarked
package dev.arenakit.internal.pool;

import org.jspecify.annotations.NullMarked;
