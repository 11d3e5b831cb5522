/// An arena in sparse files, which remain when the process dies, and readers of these files.
///
/// [dev.arenakit.mapped.InfiniteArena] allocates, [dev.arenakit.mapped.ArenaImage] reads the allocations in any
/// process, and [dev.arenakit.mapped.SparseFile] reads a sparse file and skips its holes.
@NullMarked
package dev.arenakit.mapped;

import org.jspecify.annotations.NullMarked;
