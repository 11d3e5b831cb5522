/// DuckDB's C API: its library, its functions and structs, its statements, and the memory and the thread of the calls.
@NullMarked
package dev.arenakit.sql.internal.duckdb;

import org.jspecify.annotations.NullMarked;
