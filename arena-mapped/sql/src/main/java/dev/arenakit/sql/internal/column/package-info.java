/// The columns of struct types in DuckDB, and the writers that copy the values of structs into its vectors.
@NullMarked
package dev.arenakit.sql.internal.column;

import org.jspecify.annotations.NullMarked;
