/// The stock of a pool: the caches of idle slabs, the store of all slabs and large allocations, the threads that wait for
/// a slab, and the end of the pool.
@NullMarked
package dev.arenakit.internal.pool.stock;

import org.jspecify.annotations.NullMarked;
