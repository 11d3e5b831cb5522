/// The arena that owns an image: it allocates memory in data files, and records the allocations and their names.
@NullMarked
package dev.arenakit.mapped.internal.arena;

import org.jspecify.annotations.NullMarked;
