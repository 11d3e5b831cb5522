/// Calls of a C library with memory of an arena: through bindings that jextract generates, and through code written by
/// hand.
@NullMarked
package dev.arenakit.examples.libc;

import org.jspecify.annotations.NullMarked;
