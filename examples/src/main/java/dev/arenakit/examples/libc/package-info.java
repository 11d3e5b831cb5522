/// Calls of a C library with memory of an arena: a binding that is written by hand, and blocks that change their owner.
@NullMarked
package dev.arenakit.examples.libc;

import org.jspecify.annotations.NullMarked;
