/// The memory of a pool: slabs, the mappings that they are cut from, large allocations, and the budget of all of them.
///
/// A slab knows its cache as a [SlabHome]. No class of this package uses the packages above it.
@NullMarked
package dev.arenakit.internal.pool.memory;

import org.jspecify.annotations.NullMarked;
