/// The fill: structs are copied to columns in the physical layout of Apache Arrow.
@NullMarked
package dev.arenakit.mapped.internal.column.buffer;

import org.jspecify.annotations.NullMarked;
