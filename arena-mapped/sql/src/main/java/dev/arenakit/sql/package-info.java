/// SQL over structs. [dev.arenakit.sql.StructSql] presents segments of structs, and the allocations of images, as
/// tables of DuckDB. The native library of DuckDB is loaded at run time.
@NullMarked
package dev.arenakit.sql;

import org.jspecify.annotations.NullMarked;
