/// The allocator behind the arena of free lists and the allocator of offsets: slabs of size classes, and the heaps of
/// threads.
@NullMarked
package dev.arenakit.internal.freelist;

import org.jspecify.annotations.NullMarked;
