/// Arenas over native memory that can be used wherever a [java.lang.foreign.Arena] is expected, the pools and
/// allocators that provide their memory, and an allocator within one segment.
@NullMarked
package dev.arenakit;

import org.jspecify.annotations.NullMarked;
