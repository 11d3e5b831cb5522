/// The columns of a struct type, and the fill: structs are copied to columns in the physical layout of Apache Arrow, on
/// which the modules for Arrow, DuckDB and Spark stand.
@NullMarked
package dev.arenakit.mapped.internal.column;

import org.jspecify.annotations.NullMarked;
