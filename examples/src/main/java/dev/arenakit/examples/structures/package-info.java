/// Lists, maps and a cache outside the heap.
@NullMarked
package dev.arenakit.examples.structures;

import org.jspecify.annotations.NullMarked;
