/// What stands in memory, described once: types of structs, and typed access to them in any segment.
@NullMarked
package dev.arenakit.layout;

import org.jspecify.annotations.NullMarked;
