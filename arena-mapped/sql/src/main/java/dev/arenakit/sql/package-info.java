/// SQL over structs: [dev.arenakit.sql.StructSql] makes segments of structs, and the allocations of an image, tables of
/// DuckDB, whose native library is loaded at run time.
@NullMarked
package dev.arenakit.sql;

import org.jspecify.annotations.NullMarked;
