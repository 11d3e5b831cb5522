/// The columns of a struct type, on which the modules for Arrow, DuckDB and Spark stand.
@NullMarked
package dev.arenakit.mapped.internal.column;

import org.jspecify.annotations.NullMarked;
