/// An arena in sparse files, which remain when the process dies, and readers of these files.
///
/// [dev.arenakit.mapped.InfiniteArena] allocates, and [dev.arenakit.mapped.ArenaImage] reads the allocations in any
/// process. [dev.arenakit.mapped.io] reads and writes other large files.
@NullMarked
package dev.arenakit.mapped;

import org.jspecify.annotations.NullMarked;
