/// Pools of memory: a budget, and a block that outlives its request.
@NullMarked
package dev.arenakit.examples.pools;

import org.jspecify.annotations.NullMarked;
