/// The arena that owns an image: it makes data files, allocates from them, and records the allocations.
@NullMarked
package dev.arenakit.mapped.internal.arena;

import org.jspecify.annotations.NullMarked;
