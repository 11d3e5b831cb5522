/// The data files of an arena: their numbers, their mappings, and the space of freed allocations.
@NullMarked
package dev.arenakit.mapped.internal.data;

import org.jspecify.annotations.NullMarked;
