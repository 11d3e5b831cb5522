/// The free lists of an allocator whose blocks are freed one by one: slabs of size classes, and the heaps of threads.
@NullMarked
package dev.arenakit.internal.freelist;

import org.jspecify.annotations.NullMarked;
