/// The slabs of a pool: the arenas over them, the caches, the store of all slabs, and the budget.
@NullMarked
package dev.arenakit.internal.pool;

import org.jspecify.annotations.NullMarked;
