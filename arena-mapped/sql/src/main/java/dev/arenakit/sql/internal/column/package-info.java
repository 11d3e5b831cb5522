/// The columns of a struct type, and the writers that copy the values of structs into DuckDB's vectors.
@NullMarked
package dev.arenakit.sql.internal.column;

import org.jspecify.annotations.NullMarked;
