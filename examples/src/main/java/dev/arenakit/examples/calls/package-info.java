/// Fewer and cheaper native calls: a loop in a few lines of C, and reads through `io_uring` without any library.
@NullMarked
package dev.arenakit.examples.calls;

import org.jspecify.annotations.NullMarked;
