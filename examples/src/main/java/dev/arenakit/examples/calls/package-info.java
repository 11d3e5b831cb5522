/// Fewer and cheaper native calls: several operations in one call, through what the system offers or through a few
/// lines of C, and reads through `io_uring` without any library.
@NullMarked
package dev.arenakit.examples.calls;

import org.jspecify.annotations.NullMarked;
