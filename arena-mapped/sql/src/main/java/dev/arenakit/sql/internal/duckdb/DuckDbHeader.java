package dev.arenakit.sql.internal.duckdb;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/// Constants and structs of `duckdb.h`, under their names in C without the prefix `DUCKDB_` or `duckdb_`.
///
/// The class has no other fields: a test compares every field with a header, if it gets the path of a header.
public final class DuckDbHeader {
    public static final int TYPE_BOOLEAN = 1;
    public static final int TYPE_TINYINT = 2;
    public static final int TYPE_SMALLINT = 3;
    public static final int TYPE_INTEGER = 4;
    public static final int TYPE_BIGINT = 5;
    public static final int TYPE_UTINYINT = 6;
    public static final int TYPE_USMALLINT = 7;
    public static final int TYPE_UINTEGER = 8;
    public static final int TYPE_UBIGINT = 9;
    public static final int TYPE_FLOAT = 10;
    public static final int TYPE_DOUBLE = 11;
    public static final int TYPE_TIMESTAMP = 12;
    public static final int TYPE_DATE = 13;
    public static final int TYPE_TIME = 14;
    public static final int TYPE_INTERVAL = 15;
    public static final int TYPE_HUGEINT = 16;
    public static final int TYPE_VARCHAR = 17;
    public static final int TYPE_BLOB = 18;
    public static final int TYPE_DECIMAL = 19;
    public static final int TYPE_TIMESTAMP_S = 20;
    public static final int TYPE_TIMESTAMP_MS = 21;
    public static final int TYPE_TIMESTAMP_NS = 22;
    public static final int TYPE_ENUM = 23;
    public static final int TYPE_LIST = 24;
    public static final int TYPE_STRUCT = 25;
    public static final int TYPE_MAP = 26;
    public static final int TYPE_UUID = 27;
    public static final int TYPE_UNION = 28;
    public static final int TYPE_BIT = 29;
    public static final int TYPE_TIME_TZ = 30;
    public static final int TYPE_TIMESTAMP_TZ = 31;
    public static final int TYPE_UHUGEINT = 32;
    public static final int TYPE_ARRAY = 33;
    public static final int STATEMENT_TYPE_SELECT = 1;
    public static final int STATEMENT_TYPE_EXPLAIN = 4;

    /// A result, whose members are private to the engine.
    static final StructLayout RESULT = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(6, JAVA_LONG))
            .withName("result");

    private DuckDbHeader() {}
}
