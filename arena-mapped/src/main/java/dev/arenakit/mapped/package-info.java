/// Arenas backed by files.
@NullMarked
package dev.arenakit.mapped;

import org.jspecify.annotations.NullMarked;
