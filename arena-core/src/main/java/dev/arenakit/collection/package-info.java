/// Lists, maps and sets in off-heap memory, over any [java.lang.foreign.SegmentAllocator].
@NullMarked
package dev.arenakit.collection;

import org.jspecify.annotations.NullMarked;
