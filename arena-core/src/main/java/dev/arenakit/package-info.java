/// Arenas over native memory that plug in wherever [java.lang.foreign.Arena] is taken.
@NullMarked
package dev.arenakit;

import org.jspecify.annotations.NullMarked;
