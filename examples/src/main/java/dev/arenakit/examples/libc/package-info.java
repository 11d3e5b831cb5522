/// Calls of a C library in memory of an arena: through bindings that jextract generates, and written by hand.
@NullMarked
package dev.arenakit.examples.libc;

import org.jspecify.annotations.NullMarked;
