/// The columns of a struct type, and readers of their values, for modules that copy structs to columns.
@NullMarked
package dev.arenakit.mapped.internal.column;

import org.jspecify.annotations.NullMarked;
