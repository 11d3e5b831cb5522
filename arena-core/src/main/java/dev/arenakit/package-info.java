/// Arenas over native memory that can be used wherever a [java.lang.foreign.Arena] is expected.
@NullMarked
package dev.arenakit;

import org.jspecify.annotations.NullMarked;
