/// Structs as Apache Arrow.
@NullMarked
package dev.arenakit.arrow;

import org.jspecify.annotations.NullMarked;
